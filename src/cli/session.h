// A cluster with machines, as commands for people use it: connected, and its dialect known.
#pragma once

#include <expected>
#include <memory>
#include <string>

#include "cli/global_options.h"
#include "cli/process.h"
#include "cli/seen.h"
#include "cli/viewer.h"
#include "dialects/dialect.h"
#include "kube/connect/connection.h"

namespace millwright::cli {

struct SessionOptions {
  ClusterOptions cluster;
  std::string dialect = "auto";

  void AddTo(CLI::App& command);
};

struct Session {
  std::unique_ptr<kube::Connection> connection;
  std::unique_ptr<Viewer> viewer;
  std::string name_space;  // empty: all

  kube::Client& client() { return connection->client(); }
};

// Says what is wrong, if something is.
Task<std::expected<Session, ExitCode>> OpenSession(Process process, SessionOptions options);

// Everything about machines, read once. Nodes and classes that we may not read, or that are not
// here, are left out; `with_secrets` asks for those that classes name, too.
Task<Result<Seen>> ReadSeen(kube::Client& client, dialects::Dialect& dialect,
                            std::string name_space, bool with_secrets = false);

// Says that the dialect has none of what was asked for.
ExitCode NoSuchKind(std::string_view written);

// The log of a command for people is quiet unless they ask.
Result<ProcessOptions> QuietProcess(const GlobalOptions& global);

}  // namespace millwright::cli
