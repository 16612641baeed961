#include "dialects/gardener/gardener.h"

#include "dialects/gardener/names.h"
#include "dialects/gardener/read.h"
#include "dialects/gardener/read_metadata.h"
#include "dialects/gardener/render.h"
#include "dialects/gardener/words.h"

namespace millwright::dialects::gardener {

namespace json = boost::json;

namespace {

Kind KindOf(std::string_view kind, std::string_view resource) {
  const std::string group(kGroup);
  const std::string version(kVersion);
  return {.kind = {group, version, std::string(kind)},
          .resource = {group, version, std::string(resource)}};
}

Kinds AllKinds() {
  return {.machine = KindOf(kMachineKind, "machines"),
          .set = KindOf(kSetKind, "machinesets"),
          .deployment = KindOf(kDeploymentKind, "machinedeployments"),
          .machine_class = KindOf(kClassKind, "machineclasses")};
}

Names AllNames() {
  return {.finalizer = std::string(finalizers::kObject),
          .secret_finalizer = std::string(finalizers::kSecret),
          .node_finalizer = std::string(finalizers::kNode),
          .node_label = std::string(labels::kNode),
          .node_machine_label = std::string(labels::kMachineName),
          .deployment_label = std::string(labels::kDeployment),
          .avoid_taint = {.key = std::string(taints::kPreferNoSchedule),
                          .value = "True",
                          .effect = std::string(taints::kPreferNoScheduleEffect)},
          .scale_down_disabled = std::string(annotations::kScaleDownDisabled),
          .scale_down_disabled_by_us = std::string(annotations::kScaleDownDisabledByUs),
          .not_managed = std::string(annotations::kNotManaged),
          .hold_taint = {.key = std::string(taints::kNotReady),
                         .effect = std::string(taints::kNoScheduleEffect)}};
}

core::ReplicaPolicy Replicas() {
  using enum core::VictimKey;
  return {.counts_deleting = false,
          .replaces_failed = true,
          .burst = 100,
          .victims = {kUnpreserved, kAutoPreserved, kPreserveExpiry, kPriority, kMarkedTime, kPhase,
                      kOlder, kName}};
}

}  // namespace

GardenerDialect::GardenerDialect()
    : kinds_(AllKinds()), names_(AllNames()), replicas_(Replicas()) {}

std::unique_ptr<Dialect> MakeGardenerDialect() { return std::make_unique<GardenerDialect>(); }

Result<MachineRecord> GardenerDialect::ReadMachine(kube::JsonObject object) {
  return gardener::ReadMachine(object, parts_);
}
Result<SetRecord> GardenerDialect::ReadSet(kube::JsonObject object) {
  return gardener::ReadSet(object, parts_);
}
Result<DeploymentRecord> GardenerDialect::ReadDeployment(kube::JsonObject object) {
  return gardener::ReadDeployment(object, parts_);
}
Result<ClassRecord> GardenerDialect::ReadClass(kube::JsonObject object) {
  return gardener::ReadClass(object, parts_);
}

json::object GardenerDialect::MachineStatus(const MachineRecord& machine,
                                            const MachineReport& report, WallTime now) const {
  return gardener::MachineStatus(machine, report, now);
}
json::object GardenerDialect::MachineNotes(const MachineRecord& machine,
                                           const MachineReport& report) const {
  return gardener::MachineNotes(machine, report);
}
json::object GardenerDialect::Recorded(const MachineRecord& machine, std::string_view instance,
                                       std::string_view node) const {
  return gardener::Recorded(machine, instance, node);
}
json::object GardenerDialect::Marked(const MachineRecord& machine,
                                     const core::ScalerMark& mark) const {
  return gardener::Marked(machine, mark);
}
json::object GardenerDialect::AutoPreserved(const MachineRecord& machine, bool keep) const {
  return gardener::AutoPreserved(machine, keep);
}
NodeChange GardenerDialect::SyncedNode(const MachineRecord& machine, const ClassRecord* of,
                                       const NodeRecord& node) const {
  return gardener::SyncedNode(machine, of, node);
}
core::Condition GardenerDialect::GoingCondition(core::GoingBecause why) const {
  return gardener::GoingCondition(why);
}

Result<json::object> GardenerDialect::NewMachine(const SetRecord& set,
                                                 const std::string& name) const {
  return gardener::NewMachine(set, name);
}
json::object GardenerDialect::HandedDown(const SetRecord& set, const MachineRecord& machine) const {
  return gardener::HandedDown(set, machine);
}
json::object GardenerDialect::SetStatus(const SetRecord& set, const SetReport& report,
                                        WallTime now) const {
  return gardener::SetStatus(set, report, now);
}
json::object GardenerDialect::NameFloor(const SetRecord& set, std::uint32_t floor) const {
  return gardener::NameFloor(set, floor);
}

json::object GardenerDialect::NewSetBody(const DeploymentRecord& deployment,
                                         const NewSet& set) const {
  return gardener::NewSetBody(deployment, set);
}
NewSet GardenerDialect::NameSet(const DeploymentRecord& deployment) const {
  return gardener::NameSet(deployment);
}
json::object GardenerDialect::ChangedSet(const DeploymentRecord& deployment, const SetRecord& set,
                                         const SetWish& wish) const {
  return gardener::ChangedSet(deployment, set, wish);
}
json::object GardenerDialect::DeploymentStatus(const DeploymentRecord& deployment,
                                               std::span<const SetRecord* const> sets,
                                               const DeploymentReport& report, WallTime now) const {
  return gardener::DeploymentStatus(deployment, sets, report, now);
}
json::object GardenerDialect::DeploymentRevision(const DeploymentRecord& deployment,
                                                 std::int64_t revision) const {
  return gardener::DeploymentRevision(deployment, revision);
}
json::object GardenerDialect::PrunedMarks(const DeploymentRecord& deployment,
                                          std::span<const core::ScalerMark> keep) const {
  return gardener::PrunedMarks(deployment, keep);
}
json::object GardenerDialect::RolledBack(const DeploymentRecord& deployment,
                                         const SetRecord* target) const {
  return gardener::RolledBack(deployment, target);
}
json::object GardenerDialect::DeploymentFrozen(const DeploymentRecord& deployment,
                                               bool frozen) const {
  return gardener::DeploymentFrozen(deployment, frozen);
}

}  // namespace millwright::dialects::gardener
