// Processes that may outlive us, named so that no later one can be taken for them.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

namespace millwright::providers {

// Numbers of processes are used again; a number together with when it began, in which run of the
// kernel, is not.
struct ProcessId {
  pid_t pid = 0;
  std::uint64_t began = 0;  // in the kernel's ticks since it started
  std::string boot;         // the kernel's name for this run of itself

  friend bool operator==(const ProcessId&, const ProcessId&) = default;
};

// The process of that number; none if there is none, or nothing but its exit code is left.
std::optional<ProcessId> FindProcess(pid_t pid);

bool IsAlive(const ProcessId& process);

// To this process and no other; nothing happens if it has ended.
void SendSignal(const ProcessId& process, int signal);

}  // namespace millwright::providers
