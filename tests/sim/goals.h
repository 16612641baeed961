// What every run must reach in the end, and how a run ended.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tests/sim/cluster.h"

namespace millwright::sim {

// A part of a run, by its points and by the handlers of the controllers.
struct Stretch {
  int first_point = 0;
  int end_point = 0;
  std::uint64_t first_step = 0;
  std::uint64_t end_step = 0;
};

// How a run ended.
struct Outcome {
  std::vector<std::string> violations;  // promises broken, and goals not reached in time
  int points = 0;
  std::uint64_t steps = 0;
  Stretch focus;  // what it was about
  std::uint64_t checks = 0;
  int crashes = 0;
  std::vector<Cluster::Luck> luck;  // what chance did
  std::string trace;                // what controllers wrote and logged, in order
  double simulated_seconds = 0;
  double machine_seconds = 0;  // of all VMs together, while they lived
};

// So many machines run, by what they say and in truth, and no others are there, not even going.
bool IsSettled(const Auditor& auditor, int replicas);
// The same, and the deployment says that all of them are of its last template.
bool IsRolled(const Auditor& auditor, int replicas);
// Nothing is there at all.
bool IsEmpty(const Auditor& auditor);

void Expect(Outcome& outcome, bool reached, std::string_view what);
// Nothing is written once all is as it should be.
void ExpectRest(Cluster& cluster, Outcome& outcome);
// At the end: what must not be left, or told to anybody; what it took.
Outcome Finish(Cluster& cluster, Outcome outcome);

// A cloud that takes its time, as all do.
providers::EngineOptions SlowCloud(const Words& words);

}  // namespace millwright::sim
