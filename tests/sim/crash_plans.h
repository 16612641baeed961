// Where to crash: pairs and triples of places by chance, or every so manieth. Lists, so that
// several processes can share the work. All places without exception are what branches.h is for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/sim/goals.h"

namespace millwright::sim {

// So many different ones of `crashes` points each, drawn from the seed; all that there are if these
// are fewer. What no crash leads to is not among them: crashes have points of their own behind
// them.
std::vector<FaultPlan> RandomPlans(const Stretch& stretch, std::size_t crashes, std::uint64_t count,
                                   std::uint64_t seed);

// Behind every so manieth handler.
std::vector<FaultPlan> Steps(const Stretch& stretch, std::uint64_t stride);

// Part `part` (from 1) of `of` equal ones.
struct Share {
  std::uint64_t part = 1;
  std::uint64_t of = 1;
};
std::vector<FaultPlan> ShareOf(const std::vector<FaultPlan>& plans, Share share);

// "2/8"; nothing if that is no share.
std::optional<Share> ReadShare(const std::string& text);

}  // namespace millwright::sim
