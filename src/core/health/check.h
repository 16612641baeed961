// Health checks that users declare over some of their machines.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/model/condition.h"

namespace millwright::core {

// Unhealthy: the condition has had that status for longer than the time-out.
struct ConditionCheck {
  std::string type;
  std::string status;
  Duration timeout{};
};

struct Checks {
  std::vector<ConditionCheck> node;
  std::vector<ConditionCheck> machine;
  Duration startup{};  // from StartupBegan to a node; zero: not checked
};

struct CheckedMachine {
  bool must_be_remediated = false;  // somebody says so
  bool failed = false;              // it says so, where machines can
  bool deleting = false;
  bool can_be_judged = true;  // what it needs to start is there; see CanBeJudged
  bool expects_node = false;  // it had a node, or has it
  WallTime startup_began{};
  std::optional<std::vector<Condition>> node;  // none: there is no node
  std::vector<Condition> conditions;
};

struct Finding {
  enum class Kind {
    kAskedFor,
    kFailed,
    kMachineCondition,
    kNodeCondition,
    kNodeGone,
    kNeverStarted
  };

  Kind kind;
  std::string type = {};  // of the condition
  std::string status = {};
  std::string reason = {};
  Duration timeout{};

  friend bool operator==(const Finding&, const Finding&) = default;
};

struct Verdict {
  enum class Health { kHealthy, kUnhealthy, kMayBecomeUnhealthy, kUndecided };

  Health health = Health::kUndecided;
  std::vector<Finding> findings;        // of an unhealthy machine; those about the machine first
  std::optional<Duration> check_again;  // when it may have become unhealthy

  friend bool operator==(const Verdict&, const Verdict&) = default;
};

Verdict JudgeMachine(const CheckedMachine& machine, const Checks& checks, WallTime now);

// What has to be there before a machine can be expected to start.
struct StartupFacts {
  WallTime created{};
  bool is_control_plane = false;
  std::optional<WallTime> cluster_infrastructure_ready;
  std::optional<WallTime> control_plane_initialized;
  std::optional<WallTime> infrastructure_ready;  // the machine's own
};

bool CanBeJudged(const StartupFacts& facts);

// The latest of what it had to wait for; it cannot have begun to start before.
WallTime StartupBegan(const StartupFacts& facts);

}  // namespace millwright::core
