// Starting a process that does not end with us.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "providers/local/process.h"

namespace millwright::providers {

struct SpawnPlan {
  std::vector<std::string> command;      // the program's path, and its arguments
  std::vector<std::string> environment;  // "NAME=value"
  std::filesystem::path directory;       // where it runs
  std::filesystem::path log;             // what it prints is added to this file
  std::string host_name;                 // within its namespaces
};

struct Spawned {
  ProcessId process;
  bool isolated = false;  // it has namespaces of its own: processes, host name, mounts
};

// Writes down which process it is going to be.
using RecordProcess = std::function<Result<void>(const ProcessId&)>;

// The program starts only after `record` has succeeded: whenever we die, either the process is on
// record or it never does anything. It leads a session of its own and is nobody's child here.
Result<Spawned> SpawnDetached(const SpawnPlan& plan, const RecordProcess& record);

}  // namespace millwright::providers
