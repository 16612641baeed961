// What controllers found out, to be put into a dialect's words and fields.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/lifecycle/cloud_code.h"
#include "core/lifecycle/deletion.h"
#include "core/model/condition.h"
#include "core/model/machine_set.h"
#include "core/rollout/progress.h"
#include "dialects/machine_record.h"

namespace millwright::dialects {

// Why a machine shows something new.
struct MachineReport {
  enum class What {
    kPending,           // its instance exists, its node is awaited
    kAvailable,         // its instance exists, and no node is expected
    kCreateFailed,      // `code` and `message` are the cloud's
    kInitializeFailed,  // likewise
    kNodeNameTaken,     // another node has the name that its node would have; the instance went
    kJoined,            // after `took`
    kRejoined,
    kUnwell,
    kNodeLost,
    kGivenUp,       // unwell for `took`
    kJoinTimedOut,  // `took` is the limit
    kHealthReset,   // nobody could look at it for a while, so its time begins anew
    kDeletion,      // it goes: `stage`, `state` and `message`
    kUpdateDrainFailed,
    kUpdating,
    kUpdateSucceeded,
    kUpdateFailed,
    kUpdateTimedOut,
    kConditions,  // nothing but the conditions of its node
    kProblem,     // its spec, class or secret makes no sense: `message`
  };

  What what = What::kConditions;
  std::optional<core::Phase> phase;  // none: the one that goes with `what`, if one does
  std::string message = {};
  std::optional<core::CloudCode> code = std::nullopt;
  core::DeletionStage stage = core::DeletionStage::kFindNode;
  OperationState state = OperationState::kProcessing;
  Duration took{};
  std::optional<std::vector<core::Condition>> conditions = std::nullopt;
  // What the provider wants kept; an empty text forgets it.
  std::optional<std::string> remember = std::nullopt;
  std::vector<std::pair<std::string, std::string>> addresses = {};  // type and address
};

struct FailedMachine {
  std::string name;
  std::string instance;
  std::string owner;
  ShownOperation operation;

  friend bool operator==(const FailedMachine&, const FailedMachine&) = default;
};

// A set could not get to its size.
struct ReplicaFailure {
  bool creating = false;  // machines were missing; else there were too many
  std::string message;

  friend bool operator==(const ReplicaFailure&, const ReplicaFailure&) = default;
};

struct SetReport {
  core::SetCounts counts;
  std::optional<ReplicaFailure> failure;
  std::vector<FailedMachine> failed;
  bool freeze = false;    // say that it is frozen
  bool unfreeze = false;  // say that it is no longer
  std::string freeze_message = {};
};

struct DeploymentReport {
  core::DeploymentCounts counts;
  int unavailable = 0;
  std::optional<core::Progress> progress;
  std::string progress_message = {};
  bool available = false;  // enough machines are
  std::vector<FailedMachine> failed;
  int collision_count = 0;
  std::int64_t observed_generation = 0;
  bool freeze = false;
  bool unfreeze = false;
  bool freeze_by_sync = false;  // because one of its sets is frozen
};

// A set to be made.
struct NewSet {
  std::string name;
  std::string hash;  // tells the templates of a deployment apart
  int replicas = 0;
  std::int64_t revision = 0;
  int desired_note = 0;
  int max_note = 0;
};

// What a deployment wants of one of its sets; none: as it is.
struct SetWish {
  std::optional<int> replicas;
  std::optional<int> desired_note;
  std::optional<int> max_note;
  std::optional<std::int64_t> revision;   // of the current set
  bool hand_down = false;                 // the current set follows its deployment's settings
  std::optional<bool> creation_disabled;  // old sets make no more machines
  std::optional<bool> nodes_marked;
  std::optional<bool> frozen;
};

}  // namespace millwright::dialects
