#include "core/replicas/hand_over.h"

#include <algorithm>

#include "core/replicas/plan.h"

namespace millwright::core {

ReplicaPlan PlanHandOver(std::span<const Machine* const> order, int surplus) {
  ReplicaPlan plan;
  for (const Machine* machine : order) {
    if (surplus <= 0) break;
    if (machine->IsDeleting()) {
      --surplus;
    } else if (machine->to_be_remediated) {
      plan.remove.push_back({machine->name, RemovalReason::kToBeRemediated});
      --surplus;
    } else if (!machine->in_place.updating && machine->has_node) {
      plan.move.push_back(machine->name);
      --surplus;
    }
  }
  return plan;
}

Result<void> CheckHandOver(const std::string& from, const std::string& to,
                           const HandOverTarget& target) {
  const auto refuse = [&](const char* why) {
    return Fail(ErrorKind::kInvalid,
                "cannot move machines from " + from + " to " + to + ": " + why);
  };
  if (!target.exists) return refuse("it does not exist");
  if (std::ranges::find(target.receives_from, from) == target.receives_from.end()) {
    return refuse("it does not expect them");
  }
  if (!target.has_revision_label) return refuse("it has no revision label");
  return Ok();
}

ReceiveStep PlanReceive(const Machine& machine, bool set_receives, bool acknowledged) {
  if (!machine.in_place.updating || machine.IsDeleting()) return ReceiveStep::kNothing;
  if (!machine.in_place.unacknowledged) return ReceiveStep::kUpdate;
  if (set_receives && !acknowledged) return ReceiveStep::kWaitToBeCounted;
  return ReceiveStep::kForgetAndUpdate;
}

}  // namespace millwright::core
