#include "core/replicas/victims.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "core/testing/builders.h"
#include "core/testing/policies.h"

namespace millwright::core {
namespace {

using namespace std::chrono_literals;
using namespace testing;
using ::testing::ElementsAre;

std::vector<std::string> Order(const std::vector<Machine>& machines, const VictimOrder& order) {
  std::vector<const Machine*> pointers;
  for (const Machine& machine : machines) pointers.push_back(&machine);
  std::vector<std::string> names;
  for (const Machine* machine : FirstVictims(pointers, order, kNow, machines.size())) {
    names.push_back(machine->name);
  }
  return names;
}

const VictimOrder kGardener = GardenerReplicas().victims;
const VictimOrder kRandom = ClusterApiReplicas().victims;

TEST(Victims, Gardener_13_106_LowerPriorityGoesFirst) {
  Machine a = Running("a"), b = Running("b");
  a.disposal.priority = 3;
  b.disposal.priority = 2;
  EXPECT_THAT(Order({a, b}, kGardener), ElementsAre("b", "a"));
}

TEST(Victims, Gardener_13_106_ThenTheOneNamedEarlierAndUnnamedLast) {
  Machine a = Running("a"), b = Running("b"), c = Running("c");
  b.disposal.marked_at = kNow - 1min;
  c.disposal.marked_at = kNow - 2min;
  EXPECT_THAT(Order({a, b, c}, kGardener), ElementsAre("c", "b", "a"));
}

TEST(Victims, Gardener_13_106_ThenByPhase) {
  const std::vector<Machine> machines = {
      InPhase(Phase::kRunning, "running"),
      InPhase(Phase::kAvailable, "available"),
      InPhase(Phase::kJoining, "joining"),
      InPhase(Phase::kUnhealthy, "unhealthy"),
      InPhase(Phase::kCreateFailing, "create"),
      InPhase(Phase::kFailed, "failed"),
      InPhase(Phase::kNew, "new"),
  };
  EXPECT_THAT(Order(machines, kGardener), ElementsAre("new", "failed", "create", "unhealthy",
                                                      "joining", "available", "running"));
}

TEST(Victims, Gardener_13_106_ThenTheOlder) {
  EXPECT_THAT(Order({Running("young", 1h), Running("old", 2h)}, kGardener),
              ElementsAre("old", "young"));
}

TEST(Victims, Gardener_13_106_PreservedOnesAreTheLast) {
  Machine kept = InPhase(Phase::kFailed, "kept");
  kept.preservation = {.wish = PreserveWish::kNow, .until = kNow + 1h};
  kept.disposal.priority = 1;
  Machine expired = InPhase(Phase::kRunning, "expired");
  expired.preservation = {.wish = PreserveWish::kNow, .until = kNow - 1h};
  expired.disposal.priority = 3;
  EXPECT_THAT(Order({kept, expired}, kGardener), ElementsAre("expired", "kept"));
}

TEST(Victims, Gardener_13_106_OfPreservedOnesThoseOfTheQuotaAndThoseThatEndSooner) {
  Machine asked = InPhase(Phase::kFailed, "asked"), later = asked, automatic = asked;
  later.name = "later";
  automatic.name = "automatic";
  asked.preservation = {.wish = PreserveWish::kNow, .until = kNow + 1h};
  later.preservation = {.wish = PreserveWish::kNow, .until = kNow + 2h};
  automatic.preservation = {.wish = PreserveWish::kAutomatic, .until = kNow + 3h};
  EXPECT_THAT(Order({later, asked, automatic}, kGardener),
              ElementsAre("automatic", "asked", "later"));
}

TEST(Victims, Capi_12_115_DeletingThenChosenThenUpdatingThenUnhealthyThenByName) {
  Machine deleting = Deleting(Running("e")), chosen = Running("d"), updating = Running("c"),
          unhealthy = Running("b");
  chosen.disposal.chosen = true;
  updating.in_place.updating = true;
  unhealthy.unhealthy = true;
  EXPECT_THAT(Order({Running("y"), Running("x"), unhealthy, updating, chosen, deleting}, kRandom),
              ElementsAre("e", "d", "c", "b", "x", "y"));
}

TEST(Victims, Capi_12_116_OldestAndNewestGoByAgeAndThenByName) {
  const std::vector<Machine> machines = {Running("b", 24h * 10), Running("c", 24h * 9),
                                         Running("a", 24h * 9)};
  EXPECT_THAT(Order(machines, ClusterApiReplicas(VictimKey::kOlder).victims),
              ElementsAre("b", "a", "c"));
  EXPECT_THAT(Order(machines, ClusterApiReplicas(VictimKey::kNewer).victims),
              ElementsAre("a", "c", "b"));
}

TEST(Victims, AnAgeInTheFutureIsNoAge) {
  const std::vector<Machine> machines = {Running("future", -1h), Running("old", 1h)};
  EXPECT_THAT(Order(machines, ClusterApiReplicas(VictimKey::kOlder).victims),
              ElementsAre("old", "future"));
  EXPECT_THAT(Order(machines, ClusterApiReplicas(VictimKey::kNewer).victims),
              ElementsAre("future", "old"));
}

TEST(Victims, MachinesOfManyYearsStillDifferInAge) {
  EXPECT_THAT(Order({Running("a", 24h * 400), Running("b", 24h * 4000)},
                    ClusterApiReplicas(VictimKey::kOlder).victims),
              ElementsAre("b", "a"));
}

Machine AnyMachine(int number) {
  Machine machine = InPhase(*rc::gen::element(Phase::kNew, Phase::kFailed, Phase::kRunning),
                            "m" + std::to_string(number), 1h * *rc::gen::inRange(-1, 3));
  machine.disposal.priority = *rc::gen::inRange(1, 4);
  machine.disposal.chosen = *rc::gen::arbitrary<bool>();
  machine.unhealthy = *rc::gen::arbitrary<bool>();
  if (*rc::gen::arbitrary<bool>())
    machine.disposal.marked_at = kNow - 1min * *rc::gen::inRange(0, 3);
  if (*rc::gen::arbitrary<bool>())
    machine.preservation.until = kNow + 1h * *rc::gen::inRange(-1, 2);
  return machine;
}

RC_GTEST_PROP(VictimOrder, DoesNotDependOnTheOrderGiven, ()) {
  std::vector<Machine> machines;
  const int count = *rc::gen::inRange(0, 12);
  for (int i = 0; i < count; ++i) machines.push_back(AnyMachine(i));
  std::vector<Machine> reversed(machines.rbegin(), machines.rend());
  RC_ASSERT(Order(machines, kGardener) == Order(reversed, kGardener));
  RC_ASSERT(Order(machines, kRandom) == Order(reversed, kRandom));
}

RC_GTEST_PROP(VictimOrder, TheFirstFewAreTheFirstOfAll, ()) {
  std::vector<Machine> machines;
  const int count = *rc::gen::inRange(0, 12);
  for (int i = 0; i < count; ++i) machines.push_back(AnyMachine(i));
  std::vector<const Machine*> pointers;
  for (const Machine& machine : machines) pointers.push_back(&machine);
  const auto all = FirstVictims(pointers, kGardener, kNow, machines.size());
  const std::size_t most = *rc::gen::inRange<std::size_t>(0, 14);
  const auto few = FirstVictims(pointers, kGardener, kNow, most);
  RC_ASSERT(few.size() == std::min(most, machines.size()));
  RC_ASSERT(std::equal(few.begin(), few.end(), all.begin()));
}

}  // namespace
}  // namespace millwright::core
