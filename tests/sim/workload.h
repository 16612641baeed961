// What users do in a simulated cluster, from nothing to nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tests/sim/goals.h"
#include "tests/sim/schedule.h"

namespace millwright::sim {

struct LifeRun {
  int replicas = 1;
  FaultPlan faults = {};
  std::uint64_t seed = 1;
  const Words* words = &GardenerWords();
  const Mutant* mutant = nullptr;
  bool two_leaders = false;  // all the time
};

// Created, with pods on its machines and notes of others on its objects; scaled
// by one, rolled, deleted; each as soon as what was before is reached.
Outcome RunWholeLife(LifeRun run);

struct ChanceRun {
  std::uint64_t seed = 1;
  const Words* words = &GardenerWords();
  const Mutant* mutant = nullptr;
  // Of what the seed brings, only these. None: all.
  std::optional<std::set<std::uint64_t>> happenings = std::nullopt;
  std::optional<std::set<std::uint64_t>> luck = std::nullopt;
  int edition = kNewestEdition;
};

// Random users and faults by the seed, then peace: all must come to rest as
// wished, and go.
Outcome RunByChance(const ChanceRun& run);

// A deployment of that many machines and back to none; what it took, a line for
// each kind of write.
std::string MeasureScale(int replicas, const Words& words = GardenerWords());

}  // namespace millwright::sim
