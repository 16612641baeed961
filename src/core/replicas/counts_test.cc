#include "core/replicas/counts.h"

#include <gtest/gtest.h>

#include "core/testing/builders.h"

namespace millwright::core {
namespace {

using namespace std::chrono_literals;
using namespace testing;

TEST(Counts, EveryMachineIsAReplicaAlsoOnItsWayOut) {
  const Machine machines[] = {Running("a"), Deleting(Running("b")), InPhase(Phase::kFailed, "c")};
  EXPECT_EQ(CountMachines(machines), (SetCounts{.replicas = 3, .ready = 2, .available = 2}));
}

TEST(Counts, Gardener_13_103_PreservedFailedMachinesAreCountedApart) {
  Machine kept = InPhase(Phase::kFailed, "kept");
  kept.preservation = {.wish = PreserveWish::kAutomatic, .until = kNow + 1h};
  Machine well = Running("well");
  well.preservation = {.wish = PreserveWish::kNow, .until = kNow + 1h};
  const Machine machines[] = {kept, well, InPhase(Phase::kFailed, "bad")};
  const SetCounts counts = CountMachines(machines);
  EXPECT_EQ(counts.preserved_failed, 1);
  EXPECT_EQ(counts.auto_preserved, 1);
}

}  // namespace
}  // namespace millwright::core
