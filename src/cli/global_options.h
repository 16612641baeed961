// Flags that every command has.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

#include "base/result.h"
#include "cli/process.h"
#include "kube/config/load.h"

namespace millwright::cli {

struct GlobalOptions {
  std::string log_levels = "info";
  std::string log_format = "text";

  void AddTo(CLI::App& app);

  // kInvalid for levels that make no sense.
  Result<ProcessOptions> ForProcess() const;
};

// Flags of commands that talk to a cluster.
struct ClusterOptions {
  kube::LoadOptions load;
  std::string name_space;
  bool all_namespaces = false;

  void AddTo(CLI::App& command);
};

}  // namespace millwright::cli
