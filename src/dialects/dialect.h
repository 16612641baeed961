// One system's way to write machines down. Controllers are generic: they read objects through
// Read..., decide with core/, and write what these functions return.
//
// Everything here is pure. Patches are JSON merge patches; an empty one means that there is nothing
// to write. The caller adds the precondition on the resource version.
#pragma once

#include <boost/json/object.hpp>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/lifecycle/in_place.h"
#include "core/node/sync.h"
#include "core/preserve/plan.h"
#include "core/replicas/plan.h"
#include "core/rollout/roles.h"
#include "core/rollout/scaling.h"
#include "dialects/class_record.h"
#include "dialects/deployment_record.h"
#include "dialects/machine_record.h"
#include "dialects/node_change.h"
#include "dialects/node_record.h"
#include "dialects/reports.h"
#include "dialects/set_record.h"
#include "kube/api/group_version.h"
#include "kube/projection/json_reader.h"

namespace millwright::dialects {

// A kind with the two names it has.
struct Kind {
  kube::GroupVersionKind kind;
  kube::GroupVersionResource resource;
};

struct Kinds {
  Kind machine;
  Kind set;
  Kind deployment;
  Kind machine_class;
};

// The marks a dialect leaves on objects. A name that is empty is not used.
struct Names {
  std::string finalizer;         // on machines, sets, deployments and classes
  std::string secret_finalizer;  // on secrets that classes use
  std::string node_finalizer;
  std::string node_label;          // on machines: the name of its node
  std::string node_machine_label;  // on nodes: the name of its machine
  std::string deployment_label;    // on machines: the name of its deployment
  core::Taint avoid_taint;         // on nodes of old sets
  std::string scale_down_disabled;
  std::string scale_down_disabled_by_us;
  std::string not_managed;   // on nodes without a machine
  core::TaintId hold_taint;  // while a node has it, its machine is not running yet
};

// Facts about a node that only the dialect can read.
struct NodeFacts {
  std::optional<core::WrittenWish> wish;  // to keep its machine
  bool candidate = false;                 // for an update in place
  bool selected = false;
  int update_result = 0;  // 1 succeeded, -1 failed, 0 nothing said
  std::string update_failure;
  core::UpdateStage update_stage = core::UpdateStage::kNone;  // as its condition says
  std::optional<WallTime> update_stage_since;
  bool not_managed = false;

  // What its condition says about being kept.
  bool said_kept = false;
  bool said_drained = false;
  bool said_undrained = false;  // it was tried
  bool kept_tainted = false;
};

// What is said on a node that is kept, or no longer is.
struct KeptReport {
  bool stopped = false;
  bool automatic = false;       // nobody asked for it but we
  std::optional<bool> drained;  // none: it was not to be
  WallTime until{};
};

// The marks of an update in place on a node.
enum class UpdateMark {
  kOffer,     // it may be chosen
  kWithdraw,  // no longer
  kSelect,
  kAccept,  // its machine changed sets: it takes pods again
  kSettle,  // and nothing tells of the update any more
};

class Dialect {
 public:
  virtual ~Dialect() = default;

  virtual std::string_view name() const = 0;
  virtual const Kinds& kinds() const = 0;
  virtual const Names& names() const = 0;

  // ---- Policies
  virtual const core::ReplicaPolicy& replicas() const = 0;
  virtual core::CurrentSetRule current_set_rule() const = 0;
  virtual core::Growth growth() const = 0;

  // ---- Observe. Fails only for what is not an object of the kind at all: a spec that makes no
  // sense is a record with a problem. Not const: equal texts are shared.
  virtual Result<MachineRecord> ReadMachine(kube::JsonObject object) = 0;
  virtual Result<SetRecord> ReadSet(kube::JsonObject object) = 0;
  virtual Result<DeploymentRecord> ReadDeployment(kube::JsonObject object) = 0;
  virtual Result<ClassRecord> ReadClass(kube::JsonObject object) = 0;
  virtual NodeFacts ReadNodeFacts(const NodeRecord& node) const = 0;
  // The same wish alone: who looks at all nodes of a set asks for nothing else.
  virtual std::optional<core::WrittenWish> ReadNodeWish(const NodeRecord& node) const = 0;
  // Of what was read; nodes have some of them in common with machines.
  virtual kube::TextPool& texts() = 0;

  // ---- Render: machines
  // The status after a report, as a patch of the status subresource.
  virtual boost::json::object MachineStatus(const MachineRecord& machine,
                                            const MachineReport& report, WallTime now) const = 0;
  // What a report leaves to be remembered that no field of the status can hold, as a patch of the
  // machine itself, to be written before the status. Mostly there is nothing.
  virtual boost::json::object MachineNotes(const MachineRecord& machine,
                                           const MachineReport& report) const = 0;
  // The instance and its node's name are recorded on the machine.
  virtual boost::json::object Recorded(const MachineRecord& machine, std::string_view instance,
                                       std::string_view node) const = 0;
  // It is the next to go, since a scaler said so at that time.
  virtual boost::json::object Marked(const MachineRecord& machine,
                                     const core::ScalerMark& mark) const = 0;
  // We wish it to be kept when it failed, or take that back.
  virtual boost::json::object AutoPreserved(const MachineRecord& machine, bool keep) const = 0;
  // How long it is kept, in the status; none: no longer.
  virtual boost::json::object KeptUntil(const MachineRecord& machine,
                                        std::optional<WallTime> until) const = 0;
  // What its node wished was done, and is remembered; its own wish goes.
  virtual boost::json::object NodeWishNoted(const MachineRecord& machine,
                                            core::PreserveWish wish) const = 0;
  virtual boost::json::object WishesForgotten(const MachineRecord& machine) const = 0;
  // It goes over to another set: labels only.
  virtual boost::json::object Transferred(const MachineRecord& machine, const SetRecord& from,
                                          const SetRecord& to) const = 0;
  virtual boost::json::object TransferSettled(const MachineRecord& machine) const = 0;

  // Brings what the machine wants for its node to it, and takes away what it no longer wants.
  // `of` is the machine's class; null: it is not known now.
  virtual NodeChange SyncedNode(const MachineRecord& machine, const ClassRecord* of,
                                const NodeRecord& node) const = 0;
  // What is said on the node about its end.
  virtual core::Condition GoingCondition(core::GoingBecause why) const = 0;
  // Marks that keeping a machine leaves on its node, or takes away.
  virtual NodeChange KeptNode(const NodeRecord& node, const core::PreservePlan& plan) const = 0;
  virtual core::Condition KeptCondition(const KeptReport& report) const = 0;
  virtual NodeChange UpdateMarked(const NodeRecord& node, UpdateMark mark) const = 0;
  virtual core::Condition UpdateCondition(core::UpdateStage stage,
                                          const std::string& failure) const = 0;

  // ---- Render: sets
  // The whole new machine, owned by the set.
  virtual Result<boost::json::object> NewMachine(const SetRecord& set,
                                                 const std::string& name) const = 0;
  // What the set hands down and the machine does not have yet.
  virtual boost::json::object HandedDown(const SetRecord& set,
                                         const MachineRecord& machine) const = 0;
  virtual boost::json::object SetStatus(const SetRecord& set, const SetReport& report,
                                        WallTime now) const = 0;
  virtual boost::json::object NameFloor(const SetRecord& set, std::uint32_t floor) const = 0;
  // No more machines, or again; a person's wish for the latter is granted with it.
  virtual boost::json::object SetFrozen(const SetRecord& set, bool frozen) const = 0;
  // The same as its status shows it; nothing else of it changes.
  virtual boost::json::object SetFrozenStatus(const SetRecord& set, bool frozen,
                                              const std::string& message, WallTime now) const = 0;
  // The wish of its deployment's user is handed on.
  virtual boost::json::object UnfreezeAsked(const SetRecord& set) const = 0;

  // ---- Render: deployments
  virtual boost::json::object NewSetBody(const DeploymentRecord& deployment,
                                         const NewSet& set) const = 0;
  // The hash for a template that no set has yet, and the name of its set.
  virtual NewSet NameSet(const DeploymentRecord& deployment) const = 0;
  virtual boost::json::object ChangedSet(const DeploymentRecord& deployment, const SetRecord& set,
                                         const SetWish& wish) const = 0;
  virtual boost::json::object DeploymentStatus(const DeploymentRecord& deployment,
                                               std::span<const SetRecord* const> sets,
                                               const DeploymentReport& report,
                                               WallTime now) const = 0;
  virtual boost::json::object DeploymentRevision(const DeploymentRecord& deployment,
                                                 std::int64_t revision) const = 0;
  virtual boost::json::object PrunedMarks(const DeploymentRecord& deployment,
                                          std::span<const core::ScalerMark> keep) const = 0;
  // The deployment with the template of an earlier set, and without the wish to go back; null: only
  // without the wish.
  virtual boost::json::object RolledBack(const DeploymentRecord& deployment,
                                         const SetRecord* target) const = 0;
  virtual boost::json::object DeploymentFrozen(const DeploymentRecord& deployment,
                                               bool frozen) const = 0;
  // `follows`: it was half frozen, and is made to agree with its sets.
  virtual boost::json::object DeploymentFrozenStatus(const DeploymentRecord& deployment,
                                                     bool frozen, bool follows,
                                                     WallTime now) const = 0;
};

}  // namespace millwright::dialects
