#include "providers/simulated/event.h"

#include <fmt/format.h>

#include <unordered_map>
#include <unordered_set>

#include "providers/simulated/vm.h"

namespace millwright::providers {

std::string_view ToString(EventKind kind) {
  switch (kind) {
    case EventKind::kCreated: return "created";
    case EventKind::kBooted: return "booted";
    case EventKind::kStopping: return "stopping";
    case EventKind::kRemoved: return "removed";
    case EventKind::kCleaned: return "cleaned";
    case EventKind::kHalted: return "halted";
    case EventKind::kResumed: return "resumed";
    case EventKind::kFaulted: return "faulted";
    case EventKind::kRefused: return "refused";
  }
  return "";
}

std::string_view ToString(VmState state) {
  switch (state) {
    case VmState::kNone: return "none";
    case VmState::kBooting: return "booting";
    case VmState::kRunning: return "running";
    case VmState::kStopping: return "stopping";
    case VmState::kGone: return "gone";
  }
  return "";
}

std::string ToString(const CloudEvent& event) {
  std::string text =
      fmt::format("{} {}", FormatDuration(event.at.time_since_epoch()), ToString(event.kind));
  if (event.call) text += fmt::format(" {}", ToString(*event.call));
  if (event.code) text += fmt::format(" {}", core::ToString(*event.code));
  if (!event.instance.empty()) text += " " + event.instance;
  if (!event.machine.empty()) text += " of " + event.machine;
  if (!event.machine_uid.empty()) text += fmt::format(" ({})", event.machine_uid.str());
  if (event.by_script) text += ", by the script";
  return text;
}

std::vector<std::string> DoubledMachines(const std::vector<CloudEvent>& history) {
  std::vector<std::string> breaches;
  std::unordered_map<Uid, std::unordered_set<std::string>> live;
  for (const CloudEvent& event : history) {
    if (event.machine_uid.empty()) continue;
    if (event.kind == EventKind::kRemoved) live[event.machine_uid].erase(event.instance);
    if (event.kind != EventKind::kCreated || event.by_script) continue;
    auto& instances = live[event.machine_uid];
    instances.insert(event.instance);
    if (instances.size() > 1) {
      breaches.push_back(
          fmt::format("{}: there are {} of this machine now", ToString(event), instances.size()));
    }
  }
  return breaches;
}

}  // namespace millwright::providers
