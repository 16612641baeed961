#include "cli/seen.h"

#include <algorithm>

#include "cli/record_list.h"

namespace millwright::cli {

using dialects::ClassRecord;
using dialects::DeploymentRecord;
using dialects::MachineRecord;
using dialects::NodeRecord;
using dialects::SetRecord;

namespace {

template <class Record>
std::vector<const Record*> OwnedBy(const std::vector<Record>& records, const Uid& owner) {
  return Select(records, [&](const Record& one) { return one.owner && one.owner->uid == owner; });
}

}  // namespace

void Seen::Sort() {
  SortByKey(deployments);
  SortByKey(sets);
  SortByKey(machines);
  SortByKey(classes);
  SortByKey(nodes);
}

std::vector<const SetRecord*> Seen::SetsOf(const DeploymentRecord& deployment) const {
  auto owned = OwnedBy(sets, deployment.meta.uid);
  // The newest revision first: that is what people ask about.
  std::ranges::sort(owned, {}, [](const SetRecord* set) {
    return std::pair(-set->core.revision, std::string_view(set->meta.key.name));
  });
  return owned;
}

std::vector<const MachineRecord*> Seen::MachinesOf(const SetRecord& set) const {
  return OwnedBy(machines, set.meta.uid);
}

const ClassRecord* Seen::ClassOf(const MachineRecord& machine) const {
  const auto found = std::ranges::find_if(classes, [&](const ClassRecord& candidate) {
    return candidate.meta.key.namespace_ == machine.meta.key.namespace_ &&
           candidate.meta.key.name == machine.class_name;
  });
  return found == classes.end() ? nullptr : &*found;
}

const NodeRecord* Seen::NodeOf(const MachineRecord& machine) const {
  if (machine.node.empty()) return nullptr;
  const auto found = std::ranges::lower_bound(
      nodes, machine.node.view(), {},
      [](const NodeRecord& node) -> std::string_view { return node.meta.key.name; });
  return found != nodes.end() && found->meta.key.name == machine.node ? &*found : nullptr;
}

}  // namespace millwright::cli
