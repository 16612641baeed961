// What happened in the simulated cloud, in order: what tests check their promises against.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/id.h"
#include "core/lifecycle/cloud_code.h"
#include "providers/simulated/call.h"

namespace millwright::providers {

enum class EventKind {
  kCreated,   // a VM was made
  kBooted,    // it runs
  kStopping,  // its removal began
  kRemoved,   // the VM is gone
  kCleaned,   // and so is the last of what was made with it
  kHalted,    // switched off from outside
  kResumed,   // and on again
  kFaulted,   // a call failed, or was held up, by the script
  kRefused,   // a call failed because it had to: over the quota
};

std::string_view ToString(EventKind kind);

struct CloudEvent {
  SteadyTime at{};
  EventKind kind = EventKind::kCreated;
  std::string instance;  // empty if the call was not about one
  std::string machine;
  Uid machine_uid;
  bool by_script = false;               // from outside: no caller asked for it
  std::optional<CallKind> call;         // kFaulted, kRefused
  std::optional<core::CloudCode> code;  // likewise, if it failed with one
};

// One line for people.
std::string ToString(const CloudEvent& event);

// Where "at most one live VM for each machine UID" was broken by callers: VMs that the script
// doubled or that carry no UID do not count. One line for each breach.
std::vector<std::string> DoubledMachines(const std::vector<CloudEvent>& history);

}  // namespace millwright::providers
