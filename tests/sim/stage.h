// Carries out what a schedule says, at its time.
#pragma once

#include <functional>
#include <map>

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
  void Begin(const Happening& happening);
  void Patch(const std::string& path, const std::string& patch);
  void Scale(int replicas);
  void Roll(int version);
  void DeleteMachine(const Happening& happening);
  void Mark(const Happening& happening);
  void TaintNode(const std::string& path);
  void HaltAll(Duration lasts);
  void SlowDown(Duration lasts);
  void Pause(Duration lasts);
  // The living VM that was picked; empty if there is none.
  std::string PickVm(const Happening& happening);
  void After(Duration delay, std::function<void()> what);

  Cluster& cluster_;
  const SteadyTime begun_;
  int replicas_ = 0;
  std::multimap<SteadyTime, std::function<void()>> agenda_;
};

}  // namespace millwright::sim
