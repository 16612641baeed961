#include "dialects/capi/status/deletion_delay.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "dialects/capi/status/words.h"

namespace millwright::dialects::capi {
namespace {

struct Cause {
  std::string_view sign;
  std::string_view name;
};

// The signs are parts of what a drain reports.
constexpr std::array<Cause, 4> kCauses = {{
    {"cannot evict pod as it would violate the pod's disruption budget.", "PodDisruptionBudgets"},
    {"deletionTimestamp set, but still not removed from the Node", "Pods not terminating"},
    {"failed to evict Pod", "Pod eviction errors"},
    {"waiting for completion", "Pods not completed yet"},
}};

std::vector<std::string_view> Causes(std::string_view stage, std::string_view message,
                                     std::optional<WallTime> drain_began, WallTime now) {
  std::vector<std::string_view> found;
  if (stage != reasons::kDrainingNode || !drain_began || now - *drain_began <= kLongDrain) {
    return found;
  }
  for (const Cause& cause : kCauses) {
    if (message.contains(cause.sign)) found.push_back(cause.name);
  }
  return found;
}

std::string DueTo(std::span<const std::string_view> causes) {
  std::string text;
  for (std::string_view cause : causes) {
    text += text.empty() ? ", delay likely due to " : ", ";
    text += cause;
  }
  return text;
}

bool IsStale(const MachineRecord& machine, WallTime now) {
  return machine.meta.deleting_since && now - *machine.meta.deleting_since > kLongDeletion;
}

}  // namespace

std::string DrainDelay(std::string_view stage, std::string_view message,
                       std::optional<WallTime> drain_began, WallTime now) {
  return DueTo(Causes(stage, message, drain_began, now));
}

std::string DeletionProgress(const MachineRecord& machine, std::string_view stage,
                             std::string_view message, WallTime now) {
  if (!IsStale(machine, now)) {
    return fmt::format("Machine deletion in progress, stage: {}", stage);
  }
  return fmt::format("Machine deletion in progress since more than 15m, stage: {}{}", stage,
                     DrainDelay(stage, message, machine.status.deletion.drain, now));
}

std::string StaleDeletionLine(std::span<const MachineRecord* const> machines, WallTime now) {
  std::vector<std::string> names;
  std::set<std::string_view> causes;
  for (const MachineRecord* machine : machines) {
    if (!IsStale(*machine, now)) continue;
    names.push_back(machine->meta.key.name);
    if (const Condition* deleting = Find(machine->status.conditions, types::kDeleting)) {
      for (std::string_view cause :
           Causes(deleting->reason, deleting->message, machine->status.deletion.drain, now)) {
        causes.insert(cause);
      }
    }
  }
  if (names.empty()) return {};
  std::vector<std::string_view> in_order;
  for (const Cause& cause : kCauses) {
    if (causes.contains(cause.name)) in_order.push_back(cause.name);
  }
  const bool one = names.size() == 1;
  return fmt::format("* {} {} {} in deletion since more than 15m{}", one ? "Machine" : "Machines",
                     ListNames(std::move(names)), one ? "is" : "are", DueTo(in_order));
}

std::optional<WallTime> NextStale(std::span<const MachineRecord* const> machines, WallTime now) {
  std::optional<WallTime> next;
  for (const MachineRecord* machine : machines) {
    if (!machine->meta.deleting_since || IsStale(*machine, now)) continue;
    const WallTime at = *machine->meta.deleting_since + kLongDeletion + std::chrono::seconds(1);
    next = next ? std::min(*next, at) : at;
  }
  return next;
}

std::string ListNames(std::vector<std::string> names, std::size_t most) {
  std::ranges::sort(names);
  std::string text;
  for (std::size_t i = 0; i < std::min(most, names.size()); ++i) {
    if (i > 0) text += ", ";
    text += names[i];
  }
  if (names.size() > most) text += fmt::format(", ... ({} more)", names.size() - most);
  return text;
}

}  // namespace millwright::dialects::capi
