// The end of a machine whose instance others remove: hooks, drain, volumes, infrastructure,
// bootstrap data, node.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/time.h"

namespace millwright::core {

struct NodeAccessView {
  bool cluster_deleting = false;
  bool has_node = false;  // known, or found just now by the instance's id

  enum class ControlPlane { kNone, kMissing, kUnreadable, kFound };
  ControlPlane control_plane = ControlPlane::kNone;  // the object that the cluster names
  bool control_plane_deleting = false;
  bool control_plane_external = false;  // it has no machines of ours
  int live_control_plane_machines = 0;
};

enum class NodeAccess { kAllowed, kDenied, kUnclear };  // kUnclear: try again

// Whether there is any point in touching the node: not if its cluster goes with it.
NodeAccess MayTouchNode(const NodeAccessView& view);

struct TimedStage {
  bool excluded = false;            // the user said to skip it
  Duration limit{};                 // zero: none
  std::optional<WallTime> started;  // when it was first entered
};

struct ContractDeletionView {
  NodeAccess node = NodeAccess::kDenied;
  // No node is known, and there may be one: whoever makes instances asked for one and has not heard
  // yet whether it is there.
  bool instance_in_doubt = false;
  std::vector<std::string> pre_drain_hooks;
  std::vector<std::string> pre_terminate_hooks;
  bool terminate_hook_waited = false;  // we came so far once: draining is over for good
  bool infrastructure_exists = true;
  bool infrastructure_deleting = false;
  bool bootstrap_exists = false;
  bool bootstrap_deleting = false;

  TimedStage drain;
  bool drained = false;
  TimedStage volumes;
  bool volumes_detached = false;

  bool node_removed = false;
  bool node_removal_failed = false;  // just now
  WallTime deleting_since{};
  Duration node_removal_limit{};  // from deleting_since; zero: none
};

enum class ContractStage {
  kUnclear,
  kInstanceInDoubt,
  kPreDrainHooks,
  kDrain,
  kVolumes,
  kPreTerminateHooks,
  kInfrastructure,
  kBootstrap,
  kNode,
  kDone,
};

struct ContractDeletionPlan {
  ContractStage stage = ContractStage::kDone;
  bool act = false;  // delete the stage's object, or do its work; else it only waits

  friend bool operator==(const ContractDeletionPlan&, const ContractDeletionPlan&) = default;
};

ContractDeletionPlan PlanContractDeletion(const ContractDeletionView& view, WallTime now);

// Each by itself, for what is shown.
bool IsDrainAllowed(const ContractDeletionView& view, WallTime now);
bool IsVolumeWaitAllowed(const ContractDeletionView& view, WallTime now);

}  // namespace millwright::core
