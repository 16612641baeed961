// Carries out what a schedule says, at its time.
#pragma once

#include <functional>
#include <map>
#include <span>

#include "tests/sim/cluster.h"
#include "tests/sim/schedule.h"

namespace millwright::sim {

class Stage {
 public:
  // `begun` is when the schedule's time starts.
  Stage(Cluster& cluster, SteadyTime begun) : cluster_(cluster), begun_(begun) {}

  // Runs the cluster until all that was scheduled is over.
  void Play(const std::vector<Happening>& happenings);

  // What users wish now.
  void Wish(int replicas) { replicas_ = replicas; }
  int replicas() const { return replicas_; }

 private:
  struct Row {
    What what;
    void (*act)(Stage& stage, const Happening& happening);
  };
  static const Row kActs[];  // one for each

  void Begin(const Happening& happening);
  providers::CloudEngine& cloud() { return cluster_.cloud(); }
  void Patch(const std::string& path, const std::string& patch);
  void Scale(int replicas);
  void Roll(int version);
  void DeleteMachine(const Happening& happening);
  void Mark(const Happening& happening);
  void TaintNode(const std::string& path);
  void Insist(const std::string& path, const std::string& patch);
  void HoldBack(Duration lasts);
  void DeleteNode(const Happening& happening);
  void ShutBudget(Duration lasts);
  void Remake();
  void MakeAgain();
  void Halt(const std::vector<std::string>& vms, Duration lasts);
  void Script(std::span<const providers::CallKind> kinds, const providers::FaultRule& rule,
              Duration lasts);
  void DeleteUnheard(const Happening& happening);
  void DoubleVm(const Happening& happening);
  void DoubleCreates(Duration lasts);
  void LimitVms(const Happening& happening);
  void Lag(Duration providers::EngineOptions::* what, Duration lasts);
  void Conflict(Duration lasts);
  void Toggle(void (Cluster::*what)(bool), Duration lasts);
  void TakeServerAway(Duration lasts, bool compacted);
  void AddRival(Duration lasts);
  void RestartStale(const Happening& happening);
  void Skew(Duration by, Duration lasts);
  std::vector<std::string> LivingVms();
  void SlowDown(Duration lasts);
  // The living VM that was picked; empty if there is none.
  std::string PickVm(const Happening& happening);
  void After(Duration delay, std::function<void()> what);

  Cluster& cluster_;
  const SteadyTime begun_;
  int replicas_ = 0;
  int shut_ = 0;  // how many want the budget shut
  int least_pods_ = 0;
  std::string remade_;  // the deployment as it was
  std::multimap<SteadyTime, std::function<void()>> agenda_;
};

}  // namespace millwright::sim
