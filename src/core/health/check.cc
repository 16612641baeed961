#include "core/health/check.h"

#include <algorithm>

namespace millwright::core {
namespace {

using namespace std::chrono_literals;

// Collects what is wrong, and when the next thing may be.
class Judgement {
 public:
  explicit Judgement(WallTime now) : now_(now) {}

  // Times in objects have whole seconds, so a second is added to be past the time-out for certain.
  void After(WallTime since, Duration timeout, Finding finding) {
    if (since + timeout < now_) {
      verdict_.findings.push_back(std::move(finding));
      return;
    }
    const Duration left = timeout - (now_ - since) + 1s;
    verdict_.check_again = std::min(verdict_.check_again.value_or(left), left);
  }

  void AtOnce(Finding::Kind kind) { verdict_.findings.push_back({.kind = kind}); }

  void Conditions(std::span<const Condition> conditions, std::span<const ConditionCheck> checks,
                  Finding::Kind kind) {
    for (const ConditionCheck& check : checks) {
      const Condition* condition = FindCondition(conditions, check.type);
      if (condition == nullptr || condition->status != check.status) continue;
      After(condition->since, check.timeout,
            {kind, check.type, check.status, condition->reason, check.timeout});
    }
  }

  Verdict Finish(bool healthy_otherwise) {
    using Health = Verdict::Health;
    if (!verdict_.findings.empty()) {
      verdict_.health = Health::kUnhealthy;
      verdict_.check_again.reset();
    } else if (verdict_.check_again) {
      verdict_.health = Health::kMayBecomeUnhealthy;
    } else {
      verdict_.health = healthy_otherwise ? Health::kHealthy : Health::kUndecided;
    }
    return std::move(verdict_);
  }

 private:
  WallTime now_;
  Verdict verdict_;
};

}  // namespace

Verdict JudgeMachine(const CheckedMachine& machine, const Checks& checks, WallTime now) {
  using Kind = Finding::Kind;
  Judgement judgement(now);
  if (machine.must_be_remediated) {
    judgement.AtOnce(Kind::kAskedFor);
    return judgement.Finish(false);
  }
  if (machine.failed) {
    judgement.AtOnce(Kind::kFailed);
    return judgement.Finish(false);
  }
  if (!machine.can_be_judged) return {};

  judgement.Conditions(machine.conditions, checks.machine, Kind::kMachineCondition);
  if (machine.node) {
    judgement.Conditions(*machine.node, checks.node, Kind::kNodeCondition);
  } else if (machine.expects_node) {
    judgement.AtOnce(Kind::kNodeGone);
  } else if (checks.startup > Duration::zero()) {
    judgement.After(machine.startup_began, checks.startup,
                    {.kind = Kind::kNeverStarted, .timeout = checks.startup});
  }
  return judgement.Finish(!machine.deleting && machine.node.has_value());
}

bool CanBeJudged(const StartupFacts& facts) {
  if (!facts.is_control_plane && !facts.control_plane_initialized) return false;
  return facts.cluster_infrastructure_ready.has_value();
}

WallTime StartupBegan(const StartupFacts& facts) {
  WallTime began = facts.created;
  for (const auto& time : {facts.cluster_infrastructure_ready, facts.control_plane_initialized,
                           facts.infrastructure_ready}) {
    if (time) began = std::max(began, *time);
  }
  return began;
}

}  // namespace millwright::core
