// Updates in place: the marks on nodes, and a machine's way from one set to another.
#include "dialects/gardener/gardener.h"
#include "dialects/gardener/names.h"
#include "dialects/gardener/read_metadata.h"
#include "dialects/gardener/render_parts.h"
#include "dialects/gardener/update_stages.h"

namespace millwright::dialects::gardener {

namespace json = boost::json;

namespace {

void Drop(core::KeyChanges& changes, const kube::TextMap& present, std::string_view key) {
  if (present.contains(key)) changes.remove.emplace_back(key);
}

void Put(core::KeyChanges& changes, const kube::TextMap& present, std::string_view key) {
  if (TextAt(present, key) != "true") changes.set.emplace(key, "true");
}

// As new: nothing of the update is left. Pods come once whoever cares for the node's critical ones
// says so, as after joining.
NodeChange Settled(const NodeRecord& node, const Names& names) {
  NodeChange change;
  // Done before: the machine's own mark is what is left.
  if (TextAt(node.labels, labels::kUpdateResult).empty()) return change;
  for (const std::string_view label :
       {labels::kCandidate, labels::kSelected, labels::kUpdateResult}) {
    Drop(change.labels, node.labels, label);
  }
  Drop(change.annotations, node.annotations, annotations::kUpdateFailedReason);
  if (node.unschedulable) change.unschedulable = false;
  const core::Taint hold{
      .key = names.hold_taint.key, .value = {}, .effect = names.hold_taint.effect};
  change.taints =
      TaintChange{.wanted = {hold}, .ours = {core::IdOf(names.avoid_taint), core::IdOf(hold)}};
  return change;
}

}  // namespace

NodeChange GardenerDialect::UpdateMarked(const NodeRecord& node, UpdateMark mark) const {
  NodeChange change;
  switch (mark) {
    case UpdateMark::kOffer: Put(change.labels, node.labels, labels::kCandidate); break;
    case UpdateMark::kWithdraw: Drop(change.labels, node.labels, labels::kCandidate); break;
    case UpdateMark::kSelect: Put(change.labels, node.labels, labels::kSelected); break;
    case UpdateMark::kAccept:
      if (node.unschedulable) change.unschedulable = false;
      break;
    case UpdateMark::kSettle: return Settled(node, names_);
  }
  return change;
}

core::Condition GardenerDialect::UpdateCondition(core::UpdateStage stage,
                                                 const std::string& failure) const {
  return {.type = std::string(conditions::kInPlaceUpdate),
          .status = "True",
          .reason = std::string(UpdateStageText(stage)),
          .message = failure};
}

json::object GardenerDialect::Transferred(const MachineRecord& machine, const SetRecord& from,
                                          const SetRecord& to) const {
  json::object changes;
  for (const auto& [key, value] : from.machine_template.labels) {
    if (machine.labels.contains(key) && !to.machine_template.labels.contains(key)) {
      changes[key] = nullptr;
    }
  }
  for (const auto& [key, value] : to.machine_template.labels) {
    if (TextAt(machine.labels, key) != value) changes[key] = value;
  }
  changes[labels::kUpdateResult] = "successful";
  json::object patch;
  AddMetadata(patch, "labels", std::move(changes));
  return patch;
}

json::object GardenerDialect::TransferSettled(const MachineRecord& machine) const {
  json::object patch;
  if (machine.labels.contains(labels::kUpdateResult)) {
    AddMetadata(patch, "labels", {{labels::kUpdateResult, nullptr}});
  }
  return patch;
}

}  // namespace millwright::dialects::gardener
