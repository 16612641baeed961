// A copy of a standalone server's store, whether the server runs or not.
#pragma once

#include <CLI/CLI.hpp>

#include <filesystem>

#include "apiserver/store/store.h"
#include "base/random.h"
#include "cli/commands.h"
#include "net/server_handler.h"

namespace millwright::cli {

// Adds `backup` below the command `standalone`.
CLI::App* AddStandaloneBackupCommand(CLI::App& standalone, const GlobalOptions& global, Run& run);

// In front of a running server: makes a backup beside the store for whoever shows a certificate of
// system:masters, and hands everything else on. Only the running server can: it holds the store.
class BackupHandler final : public net::Handler {
 public:
  // All outlive it.
  BackupHandler(net::Handler& api, apiserver::Store& store, std::filesystem::path directory,
                Random& random)
      : api_(api), store_(store), directory_(std::move(directory)), random_(random) {}

  Task<net::ServerResponse> Handle(net::ServerRequest request) override;

 private:
  net::Handler& api_;
  apiserver::Store& store_;
  const std::filesystem::path directory_;
  Random& random_;
};

}  // namespace millwright::cli
