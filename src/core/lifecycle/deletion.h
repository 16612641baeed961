// From the wish to be rid of a machine to its end, where we remove the instance ourselves: drain
// the node, let go of volumes, remove the instance, the node, and the machine.
#pragma once

#include <cstdint>
#include <optional>

#include "core/lifecycle/cloud_code.h"
#include "core/lifecycle/retry.h"
#include "core/model/phase.h"

namespace millwright::core {

enum class DeletionStage : std::uint8_t {
  kFindNode,
  kDrain,
  kReleaseVolumes,  // only after a drain by force: pods did not let go of them
  kRemoveInstance,
  kRemoveNode,
  kLetGo,
};

struct DeletionView {
  bool has_finalizer = false;
  bool creation_under_way = false;
  Phase phase = Phase::kDeleting;
  std::optional<DeletionStage> stage;  // none: nobody began, or what is noted cannot be read

  bool expects_node = true;
  bool has_node_name = false;
  bool node_exists = false;
  bool has_instance = true;  // one is recorded
  bool class_exists = true;  // we know how to ask the cloud

  WallTime deleting_since{};
  Duration drain_limit{};
  bool forced_by_user = false;
  std::optional<WallTime> node_not_ready_since;
  std::optional<WallTime> disk_read_only_since;

  int attached_volumes = 0;  // that the node reports
  int live_attachments = 0;  // attachments to it that nobody is removing yet
};

enum class DeletionAction {
  kNothing,  // not ours
  kWait,
  kBegin,        // show that it goes, and the first stage
  kAdvance,      // show the next stage
  kLookForNode,  // by its label, then at the cloud
  kDrain,
  kReleaseVolumes,
  kRemoveInstance,
  kRemoveNode,
  kRemoveFinalizer,
  kReportMissingClass,
};

// Why pods are not asked but removed.
enum class Force { kNone, kNodeLost, kTimeOver, kUser };

struct DeletionPlan {
  DeletionAction action = DeletionAction::kNothing;
  std::optional<DeletionStage> stage;  // for kBegin and kAdvance
  Force force = Force::kNone;          // for kDrain
  Retry retry = Retry::kNow;

  friend bool operator==(const DeletionPlan&, const DeletionPlan&) = default;
};

DeletionPlan PlanDeletion(const DeletionView& machine, WallTime now);

// What the answers lead to. `stage` is the next one, or the present one again.
struct StageOutcome {
  DeletionStage stage;
  bool failed = false;  // shown as such, and tried again
  Retry retry = Retry::kNow;

  friend bool operator==(const StageOutcome&, const StageOutcome&) = default;
};

// Of the drain with all that belongs to it: marking and cordoning the node.
StageOutcome AfterDrain(bool drained, Force force);

// Of asking the cloud for the node's name; `code` none: the answer cannot be read.
StageOutcome AfterNodeLookup(std::optional<CloudCode> code);

// Of removing the instance.
StageOutcome AfterRemoval(std::optional<CloudCode> code);

// What is said on the node about why it goes; `before` is the machine's phase before it went.
enum class GoingBecause { kScaleDown, kUnhealthy };

GoingBecause ReasonToGo(Phase before);

}  // namespace millwright::core
