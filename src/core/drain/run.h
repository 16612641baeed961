// A drain as a run (Gardener's way): pods without volumes go at once, pods with volumes one after
// the other, each waiting until its volumes have left the node and come up elsewhere. It never
// blocks: each look says what to do now and when to look again.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/drain/pod.h"

namespace millwright::core {

struct DrainRules {
  bool forced = false;    // pods are removed at once, and nothing is waited for
  bool can_evict = true;  // the cluster has the eviction API
  int max_attempts = 1;   // refused so often, a pod is removed
  Duration retry_refused = std::chrono::seconds(20);
  Duration retry_failed = std::chrono::seconds(5);
  Duration after_grace = std::chrono::seconds(30);  // for a pod to be gone when its grace is over
  Duration detach = std::chrono::minutes(2);        // after the grace
  Duration reattach = std::chrono::seconds(90);
  Duration limit{};  // of the whole run
};

// No more attempts than fit into the drain's time.
int MaxAttempts(int configured, Duration drain_limit, Duration retry_refused);

// What is seen at one look.
struct DrainScene {
  std::vector<Pod> pods;  // those to be drained that are still there
  bool node_exists = true;
  // Of the pod whose turn it is: its volumes have left the node, and are attached elsewhere.
  bool turn_detached = false;
  bool turn_reattached = false;
};

struct DrainAct {
  enum class Kind { kEvict, kDelete };  // kDelete: with no grace

  Kind kind = Kind::kEvict;
  std::string key;
  Uid uid;  // a pod of that name with another UID is not meant

  friend bool operator==(const DrainAct&, const DrainAct&) = default;
};

struct Blocker {
  enum class Why { kBudgetForbidsForGood, kError, kDoesNotGo, kVolumeStays };

  std::string key;
  Why why = Why::kError;

  friend bool operator==(const Blocker&, const Blocker&) = default;
};

enum class DrainState { kRunning, kBlocked, kDone, kTimeOver };

struct DrainStep {
  DrainState state = DrainState::kRunning;
  std::vector<DrainAct> acts;
  std::vector<Blocker> blockers;
  std::optional<std::string> turn;  // the pod whose volumes are awaited
  std::optional<WallTime> look_again;
};

enum class DrainAnswer {
  kAccepted,
  kGone,
  kRefused,    // a budget says: not now
  kForbidden,  // a budget says: never; ForbidsForGood
  kFailed,
};

class DrainRun {
 public:
  DrainRun(DrainRules rules, WallTime began) : rules_(rules), began_(began) {}

  // Every act of a step is answered by Note before the next look.
  DrainStep Plan(const DrainScene& scene, WallTime now);

  // What the cluster said to an act.
  void Note(const DrainAct& act, DrainAnswer answer, WallTime now);

  // What refused the pod would let it go now: it need not wait for its time.
  void Release(const Uid& pod);

 private:
  struct Attempt {
    int refused = 0;
    std::optional<WallTime> accepted;
    std::optional<WallTime> not_before;
    bool released = false;  // may be asked before that once
    std::optional<Blocker::Why> trouble;
  };

  struct Turn {
    Uid uid;
    std::string key;
    WallTime accepted;
    Duration grace;
    std::optional<WallTime> detached;
  };

  DrainStep PlanForced(const DrainScene& scene);
  void PlanFree(const DrainScene& scene, WallTime now, DrainStep& step);
  void PlanInTurns(const DrainScene& scene, WallTime now, DrainStep& step);
  bool EndTurn(const DrainScene& scene, WallTime now, DrainStep& step);
  bool Ask(const Pod& pod, WallTime now, DrainStep& step);
  void AwaitEnd(const Pod& pod, WallTime now, DrainStep& step);

  DrainRules rules_;
  WallTime began_;
  std::map<Uid, Attempt> attempts_;
  std::map<Uid, Turn> turns_;  // asked, the answer not yet known
  std::optional<Turn> turn_;
  std::vector<Blocker> stuck_volumes_;
};

}  // namespace millwright::core
