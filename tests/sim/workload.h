// What users do in a simulated cluster, from nothing to nothing.
#pragma once

#include <string>
#include <vector>

#include "tests/sim/cluster.h"

namespace millwright::sim {

// A secret, a class, and a deployment `web` of that many machines.
std::string SmallDeployment(int replicas, int surge = 1, int unavailable = 0);

// How a run ended.
struct Outcome {
  std::vector<std::string> violations;  // promises broken, and goals not reached in time
  int points = 0;
  std::uint64_t steps = 0;
  std::uint64_t checks = 0;
  int crashes = 0;
  std::string trace;  // what controllers wrote and logged, in order
  double simulated_seconds = 0;
};

// Created, scaled by one, rolled, deleted; each as soon as what was before is reached.
Outcome RunWholeLife(int replicas, FaultPlan faults, std::uint64_t seed = 1,
                     const Mutant* mutant = nullptr);

// Random users and faults by the seed, then peace: all must come to rest as wished, and go.
Outcome RunByChance(std::uint64_t seed, const Mutant* mutant = nullptr);

// A deployment of that many machines and back to none; what it took, a line for each kind of write.
std::string MeasureScale(int replicas);

}  // namespace millwright::sim
