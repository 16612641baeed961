#include "core/drain/run.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace millwright::core {
namespace {

void LookAt(DrainStep& step, WallTime time) {
  step.look_again = std::min(step.look_again.value_or(time), time);
}

bool HasVolumes(const Pod& pod) { return !pod.volumes.empty(); }

// Those with volumes, the most important first; of equals by name.
std::vector<const Pod*> InTurns(const DrainScene& scene) {
  std::vector<const Pod*> pods;
  for (const Pod& pod : scene.pods) {
    if (HasVolumes(pod)) pods.push_back(&pod);
  }
  std::sort(pods.begin(), pods.end(), [](const Pod* a, const Pod* b) {
    return std::make_tuple(-a->priority, a->key) < std::make_tuple(-b->priority, b->key);
  });
  return pods;
}

}  // namespace

int MaxAttempts(int configured, Duration drain_limit, Duration retry_refused) {
  const auto fit = drain_limit / retry_refused;
  return static_cast<int>(std::min<std::int64_t>(configured, fit));
}

DrainStep DrainRun::Plan(const DrainScene& scene, WallTime now) {
  if (rules_.forced) return PlanForced(scene);
  DrainStep step;
  if (scene.pods.empty() && (!turn_ || !scene.node_exists)) {
    step.state = DrainState::kDone;
    return step;
  }
  if (now >= began_ + rules_.limit) {
    step.state = DrainState::kTimeOver;
    return step;
  }
  PlanFree(scene, now, step);
  PlanInTurns(scene, now, step);
  if (scene.pods.empty() && !turn_) {
    step.state =
        DrainState::kDone;  // a volume that stays is said, and no reason to keep the instance
    step.look_again.reset();
    return step;
  }
  if (!step.blockers.empty() && step.acts.empty()) {
    step.state = DrainState::kBlocked;
  }
  LookAt(step, began_ + rules_.limit);
  return step;
}

DrainStep DrainRun::PlanForced(const DrainScene& scene) {
  DrainStep step;
  for (const Pod& pod : scene.pods) {
    const Attempt& attempt = attempts_[pod.uid];
    if (attempt.trouble) step.blockers.push_back({pod.key, *attempt.trouble});
    if (!attempt.accepted && !attempt.trouble) {
      step.acts.push_back({DrainAct::Kind::kDelete, pod.key, pod.uid});
    }
  }
  // Whoever was told to go is not waited for.
  if (step.acts.empty())
    step.state = step.blockers.empty() ? DrainState::kDone : DrainState::kBlocked;
  return step;
}

// Asks a pod to go, if it may be asked now.
bool DrainRun::Ask(const Pod& pod, WallTime now, DrainStep& step) {
  const Attempt& attempt = attempts_[pod.uid];
  if (attempt.trouble) step.blockers.push_back({pod.key, *attempt.trouble});
  const bool early = now < attempt.not_before;
  if (early && !attempt.released) {
    LookAt(step, *attempt.not_before);
    return false;
  }
  const bool evict = rules_.can_evict && (early || attempt.refused < rules_.max_attempts);
  step.acts.push_back({evict ? DrainAct::Kind::kEvict : DrainAct::Kind::kDelete, pod.key, pod.uid});
  return true;
}

void DrainRun::AwaitEnd(const Pod& pod, WallTime now, DrainStep& step) {
  const Attempt& attempt = attempts_[pod.uid];
  const WallTime accepted = attempt.accepted.value_or(pod.deleting_since.value_or(now));
  const WallTime end = accepted + std::min(pod.grace, rules_.limit) + rules_.after_grace;
  if (now >= end) {
    step.blockers.push_back({pod.key, Blocker::Why::kDoesNotGo});
  } else {
    LookAt(step, end);
  }
}

void DrainRun::PlanFree(const DrainScene& scene, WallTime now, DrainStep& step) {
  for (const Pod& pod : scene.pods) {
    if (HasVolumes(pod)) continue;
    if (attempts_[pod.uid].accepted) {
      AwaitEnd(pod, now, step);
    } else {
      Ask(pod, now, step);
    }
  }
}

// True when nobody's volumes are awaited (any more).
bool DrainRun::EndTurn(const DrainScene& scene, WallTime now, DrainStep& step) {
  if (!turn_) return true;
  if (!scene.node_exists) {
    turn_.reset();
    return true;
  }
  if (!turn_->detached && scene.turn_detached) turn_->detached = now;
  if (!turn_->detached) {
    const WallTime end = turn_->accepted + turn_->grace + rules_.detach;
    if (now < end) {
      LookAt(step, end);
      return false;
    }
    stuck_volumes_.push_back({turn_->key, Blocker::Why::kVolumeStays});
  } else if (!scene.turn_reattached) {
    const WallTime end = *turn_->detached + rules_.reattach;
    if (now < end) {
      LookAt(step, end);
      return false;
    }
  }
  turn_.reset();
  return true;
}

void DrainRun::PlanInTurns(const DrainScene& scene, WallTime now, DrainStep& step) {
  const bool free = EndTurn(scene, now, step);
  step.blockers.insert(step.blockers.end(), stuck_volumes_.begin(), stuck_volumes_.end());
  if (turn_) step.turn = turn_->key;
  bool asked = !free;
  for (const Pod* pod : InTurns(scene)) {
    if (attempts_[pod->uid].accepted) {
      AwaitEnd(*pod, now, step);
    } else if (!asked && Ask(*pod, now, step)) {
      asked = true;
      turns_[pod->uid] = {
          .uid = pod->uid, .key = pod->key, .accepted = now, .grace = pod->grace, .detached = {}};
    }
  }
}

void DrainRun::Release(const Uid& pod) {
  const auto attempt = attempts_.find(pod);
  if (attempt != attempts_.end() && !attempt->second.accepted) attempt->second.released = true;
}

void DrainRun::Note(const DrainAct& act, DrainAnswer answer, WallTime now) {
  Attempt& attempt = attempts_[act.uid];
  attempt.trouble.reset();
  const bool early = std::exchange(attempt.released, false) && now < attempt.not_before;
  const auto turn = turns_.find(act.uid);
  switch (answer) {
    case DrainAnswer::kAccepted:
      attempt.accepted = now;
      if (turn != turns_.end()) {
        turn_ = turn->second;
        turn_->accepted = now;
      }
      break;
    case DrainAnswer::kGone: attempt.accepted = now; break;
    case DrainAnswer::kRefused:
      // Somebody was faster. Attempts are counted by time: the pod is removed no sooner for it.
      if (early) break;
      ++attempt.refused;
      attempt.not_before = now + rules_.retry_refused;
      break;
    case DrainAnswer::kForbidden:
      attempt.trouble = Blocker::Why::kBudgetForbidsForGood;
      attempt.not_before = now + rules_.retry_refused;
      break;
    case DrainAnswer::kFailed:
      attempt.trouble = Blocker::Why::kError;
      attempt.not_before = now + rules_.retry_failed;
      break;
  }
  turns_.erase(act.uid);
}

}  // namespace millwright::core
