// The invariants bite: every planted bug is found, and soon.
#include "tests/sim/mutants.h"

#include <gtest/gtest.h>

#include "tests/sim/workload.h"

namespace millwright::sim {
namespace {

class MutantTest : public testing::TestWithParam<const Mutant*> {};

constexpr std::uint64_t kSeeds = 100;

TEST_P(MutantTest, IsFound) {
  const Mutant* mutant = GetParam();
  if (!mutant->needs_chance) {
    EXPECT_TRUE(IsFound(*mutant, RunWholeLife({.replicas = 2, .mutant = mutant}).violations))
        << "not found: " << mutant->name;
    return;
  }
  const Mutant control = WithoutBug(*mutant);
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    if (IsFound(*mutant, RunByChance({.seed = seed, .mutant = mutant}).violations) &&
        RunByChance({.seed = seed, .mutant = &control}).violations.empty()) {
      RecordProperty("seeds", static_cast<int>(seed));
      return;
    }
  }
  FAIL() << "not found in " << kSeeds << " seeds: " << mutant->name;
}

std::vector<const Mutant*> All() {
  std::vector<const Mutant*> all;
  for (const Mutant& mutant : Mutants()) all.push_back(&mutant);
  return all;
}

std::string NameOf(const testing::TestParamInfo<const Mutant*>& info) {
  std::string name(info.param->name);
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Planted, MutantTest, testing::ValuesIn(All()), NameOf);

}  // namespace
}  // namespace millwright::sim
