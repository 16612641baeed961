// Whether a rollout gets ahead, and what a deployment says about that.
#pragma once

#include <optional>

#include "core/model/deployment.h"

namespace millwright::core {

// A deployment's report about all its sets.
struct DeploymentCounts {
  int replicas = 0;
  int updated = 0;  // machines of the current set
  int ready = 0;
  int available = 0;
  int preserved_failed = 0;

  friend bool operator==(const DeploymentCounts&, const DeploymentCounts&) = default;
};

enum class ProgressReason {
  kNewSetCreated,
  kFoundNewSet,
  kSetUpdated,
  kNewSetAvailable,
  kDeadlineExceeded,
  kSetCreateError,
  kPaused,
  kResumed,
};

struct Progress {
  enum class Status { kTrue, kFalse, kUnknown };

  Status status = Status::kUnknown;
  ProgressReason reason = ProgressReason::kFoundNewSet;
  WallTime updated_at{};

  friend bool operator==(const Progress&, const Progress&) = default;
};

struct ProgressPlan {
  std::optional<Progress> progress;    // none: nothing to say yet
  std::optional<WallTime> look_again;  // when the deadline will have passed

  friend bool operator==(const ProgressPlan&, const ProgressPlan&) = default;
};

// All machines are of the current set, and they are as many and as available as wished.
bool IsComplete(const Deployment& deployment, const DeploymentCounts& counts,
                bool report_is_current);

// `before` is what was reported last, `seen` what holds now. Nothing is rolled back at the
// deadline; it is only said.
ProgressPlan PlanProgress(const Deployment& deployment, const std::optional<Progress>& last,
                          const DeploymentCounts& before, const DeploymentCounts& seen,
                          WallTime now);

// What is said when somebody pauses or resumes: a deadline that passed stays said.
std::optional<Progress> PlanPauseNotice(bool paused, const std::optional<Progress>& last,
                                        WallTime now);

// Enough machines are available; failed ones that are kept on purpose are not missed.
bool IsAvailable(const Deployment& deployment, const DeploymentCounts& counts);

}  // namespace millwright::core
