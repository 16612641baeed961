#include "controllers/deployment/node_marker.h"

#include <algorithm>

namespace millwright::controllers {

using dialects::MachineRecord;
using dialects::NodeRecord;
using dialects::SetRecord;

NodeMarker::NodeMarker(Surroundings& surroundings, Caches& caches)
    : surroundings_(surroundings),
      caches_(caches),
      log_(surroundings.log.For("controllers.node-marks")) {}

NodeChange NodeMarker::Change(const NodeRecord& node, bool avoid, bool hold, bool kept) const {
  const dialects::Names& names = surroundings_.dialect.names();
  NodeChange change;
  // Mostly there is no taint and none is wanted.
  const std::vector<core::Taint>& present = node.taints.get();
  const bool tainted = std::ranges::any_of(
      present, [&](const core::Taint& taint) { return taint.key == names.avoid_taint.key; });
  if (!names.avoid_taint.key.empty() && (avoid || tainted)) {
    TaintChange taints{.ours = {core::IdOf(names.avoid_taint)}};
    if (avoid) taints.wanted.push_back(names.avoid_taint);
    if (!taints.IsDone(present)) change.taints = std::move(taints);
  }
  if (names.scale_down_disabled.empty()) return change;
  // One that is disabled by somebody else stays so.
  if (hold && !node.annotations.contains(names.scale_down_disabled)) {
    change.annotations.set = {{names.scale_down_disabled, "true"},
                              {names.scale_down_disabled_by_us, "true"}};
  } else if (!hold && !kept && node.annotations.contains(names.scale_down_disabled_by_us)) {
    change.annotations.remove = {names.scale_down_disabled, names.scale_down_disabled_by_us};
  }
  return change;
}

Task<bool> NodeMarker::Mark(const std::vector<SetRecord>& sets, std::string current,
                            core::stepwise::NodeMarks marks) {
  if (!caches_.nodes) co_return true;
  std::vector<std::pair<kube::Meta, NodeChange>> due;
  const bool hold = marks.hold_scale_down && surroundings_.settings.hold_scale_down_during_rollout;
  bool all_seen = true;
  for (const SetRecord& set : sets) {
    const bool avoid = marks.avoid_old && set.meta.key.name != current;
    for (const MachineRecord* machine : caches_.machines_by_owner.Find(set.meta.uid.str())) {
      const NodeRecord* node = caches_.FindNode(machine->node);
      if (node == nullptr) continue;
      // Whether it is kept on purpose may be what is not seen yet.
      if (caches_.nodes->guard().IsBehind(node->meta.key) ||
          caches_.machines.guard().IsBehind(machine->meta.key)) {
        all_seen = false;
        continue;
      }
      // Whoever keeps a machine cares for its node, and takes away what it put there.
      const bool kept = machine->core.preservation.until.has_value();
      NodeChange change = Change(*node, avoid, hold, kept);
      if (!change.none()) due.emplace_back(node->meta, std::move(change));
    }
  }
  NodeWriter writer(*surroundings_.target, caches_.nodes->guard());
  for (auto& [node, change] : due) {
    const auto written = co_await writer.Write(node, std::move(change));
    if (written || written.error().kind() == ErrorKind::kNotFound) continue;
    all_seen = false;
    if (written.error().kind() == ErrorKind::kConflict) continue;
    log_.Warning("node cannot be marked",
                 {{"node", node.key.name}, {"error", written.error().message()}});
  }
  co_return all_seen;
}

}  // namespace millwright::controllers
