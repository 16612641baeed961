// Gardener's machine API: machine.sapcloud.io/v1alpha1.
#pragma once

#include <memory>

#include "dialects/dialect.h"
#include "dialects/gardener/shared_parts.h"

namespace millwright::dialects::gardener {

class GardenerDialect : public Dialect {
 public:
  GardenerDialect();

  std::string_view name() const override { return "gardener"; }
  const Kinds& kinds() const override { return kinds_; }
  const Names& names() const override { return names_; }

  const core::ReplicaPolicy& replicas() const override { return replicas_; }
  core::CurrentSetRule current_set_rule() const override { return core::CurrentSetRule::kOldest; }
  core::Growth growth() const override { return core::Growth::kToCurrent; }

  Result<MachineRecord> ReadMachine(kube::JsonObject object) override;
  Result<SetRecord> ReadSet(kube::JsonObject object) override;
  Result<DeploymentRecord> ReadDeployment(kube::JsonObject object) override;
  Result<ClassRecord> ReadClass(kube::JsonObject object) override;
  NodeFacts ReadNodeFacts(const NodeRecord& node) const override;
  std::optional<core::WrittenWish> ReadNodeWish(const NodeRecord& node) const override;
  kube::TextPool& texts() override { return parts_.texts(); }

  boost::json::object MachineStatus(const MachineRecord& machine, const MachineReport& report,
                                    WallTime now) const override;
  boost::json::object MachineNotes(const MachineRecord& machine,
                                   const MachineReport& report) const override;
  boost::json::object Recorded(const MachineRecord& machine, std::string_view instance,
                               std::string_view node) const override;
  boost::json::object Marked(const MachineRecord& machine,
                             const core::ScalerMark& mark) const override;
  boost::json::object AutoPreserved(const MachineRecord& machine, bool keep) const override;
  boost::json::object KeptUntil(const MachineRecord& machine,
                                std::optional<WallTime> until) const override;
  boost::json::object NodeWishNoted(const MachineRecord& machine,
                                    core::PreserveWish wish) const override;
  boost::json::object WishesForgotten(const MachineRecord& machine) const override;
  boost::json::object Transferred(const MachineRecord& machine, const SetRecord& from,
                                  const SetRecord& to) const override;
  boost::json::object TransferSettled(const MachineRecord& machine) const override;
  NodeChange SyncedNode(const MachineRecord& machine, const ClassRecord* of,
                        const NodeRecord& node) const override;
  core::Condition GoingCondition(core::GoingBecause why) const override;
  NodeChange KeptNode(const NodeRecord& node, const core::PreservePlan& plan) const override;
  core::Condition KeptCondition(const KeptReport& report) const override;
  NodeChange UpdateMarked(const NodeRecord& node, UpdateMark mark) const override;
  core::Condition UpdateCondition(core::UpdateStage stage,
                                  const std::string& failure) const override;

  Result<boost::json::object> NewMachine(const SetRecord& set,
                                         const std::string& name) const override;
  boost::json::object HandedDown(const SetRecord& set, const MachineRecord& machine) const override;
  boost::json::object SetStatus(const SetRecord& set, const SetReport& report,
                                WallTime now) const override;
  boost::json::object NameFloor(const SetRecord& set, std::uint32_t floor) const override;
  boost::json::object SetFrozen(const SetRecord& set, bool frozen) const override;
  boost::json::object SetFrozenStatus(const SetRecord& set, bool frozen, const std::string& message,
                                      WallTime now) const override;
  boost::json::object UnfreezeAsked(const SetRecord& set) const override;

  boost::json::object NewSetBody(const DeploymentRecord& deployment,
                                 const NewSet& set) const override;
  NewSet NameSet(const DeploymentRecord& deployment) const override;
  boost::json::object ChangedSet(const DeploymentRecord& deployment, const SetRecord& set,
                                 const SetWish& wish) const override;
  boost::json::object DeploymentStatus(const DeploymentRecord& deployment,
                                       std::span<const SetRecord* const> sets,
                                       const DeploymentReport& report, WallTime now) const override;
  boost::json::object DeploymentRevision(const DeploymentRecord& deployment,
                                         std::int64_t revision) const override;
  boost::json::object PrunedMarks(const DeploymentRecord& deployment,
                                  std::span<const core::ScalerMark> keep) const override;
  boost::json::object RolledBack(const DeploymentRecord& deployment,
                                 const SetRecord* target) const override;
  boost::json::object DeploymentFrozen(const DeploymentRecord& deployment,
                                       bool frozen) const override;
  boost::json::object DeploymentFrozenStatus(const DeploymentRecord& deployment, bool frozen,
                                             bool follows, WallTime now) const override;

 private:
  const Kinds kinds_;
  const Names names_;
  const core::ReplicaPolicy replicas_;
  SharedParts parts_;
};

std::unique_ptr<Dialect> MakeGardenerDialect();

}  // namespace millwright::dialects::gardener
