#include "core/stepwise/in_place.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/testing/builders.h"

namespace millwright::core::stepwise {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A deployment of three machines; each set's machines are added one by one.
class InPlaceTest : public ::testing::Test {
 protected:
  InPlaceTest() {
    scene_.base.deployment = {.replicas = 3,
                              .strategy = Strategy::kInPlaceAuto,
                              .max_surge = Amount::Of(0),
                              .max_unavailable = Amount::Of(1)};
    scene_.base.current = SetNamed("new", 0);
  }

  static MachineSet SetNamed(std::string name, int size) {
    MachineSet set{.name = std::move(name), .replicas = size};
    set.seen = {.replicas = size, .ready = size, .available = size, .fully_labelled = size};
    return set;
  }

  void Old(int size, InPlace state = {.candidate = true}) {
    scene_.base.old = {SetNamed("old", size)};
    AddMachines("old", size, state);
  }

  void New(int size) {
    scene_.base.current = SetNamed("new", size);
    AddMachines("new", size, {});
  }

  void AddMachines(const std::string& set, int count, InPlace state) {
    for (int i = 1; i <= count; ++i) {
      Machine machine = testing::Running(set + std::to_string(i));
      machine.set = set;
      machine.in_place = state;
      scene_.machines.push_back(machine);
    }
  }

  Machine& Named(const std::string& name) {
    return *std::ranges::find(scene_.machines, Text(name), &Machine::name);
  }

  InPlaceStep Plan() const { return PlanInPlace(scene_); }

  static std::vector<std::pair<std::string, int>> Sizes(const InPlaceStep& step) {
    std::vector<std::pair<std::string, int>> sizes;
    for (const Resize& resize : step.resize) sizes.emplace_back(resize.set, resize.replicas);
    return sizes;
  }

  InPlaceScene scene_;
};

using Size = std::pair<std::string, int>;

TEST_F(InPlaceTest, BeginsWithASetForWhatIsUpdated) {
  Old(3);
  scene_.base.current.reset();
  const InPlaceStep step = Plan();
  EXPECT_EQ(step.create_current, 0);
  EXPECT_TRUE(step.freeze_old);
  EXPECT_TRUE(step.offer_old);
}

TEST_F(InPlaceTest, Gardener_13_130_NoneWithoutCandidates) {
  Old(3, {});
  EXPECT_THAT(Plan().select, IsEmpty());
}

TEST_F(InPlaceTest, Gardener_13_130_NoneWhileNewMachinesAreUnavailable) {
  Old(2);
  New(1);
  scene_.base.current->seen.available = 0;
  EXPECT_THAT(Plan().select, IsEmpty());
}

TEST_F(InPlaceTest, Gardener_13_130_NoneWhileOneIsUnderUpdate) {
  Old(3);
  Named("old2").in_place.selected = true;
  EXPECT_THAT(Plan().select, IsEmpty());
}

TEST_F(InPlaceTest, Gardener_13_130_OneOtherwise) {
  Old(3);
  EXPECT_THAT(Plan().select, ElementsAre("old1"));
}

TEST_F(InPlaceTest, Gardener_13_130_NoneByItselfWhenAPersonChooses) {
  Old(3);
  scene_.base.deployment.strategy = Strategy::kInPlaceManual;
  EXPECT_THAT(Plan().select, IsEmpty());
}

TEST_F(InPlaceTest, Gardener_13_130_WhatIsLeftOverGoesWhenTheNewSetIsFull) {
  Old(1);
  New(3);
  EXPECT_THAT(Sizes(Plan()), ElementsAre(Size{"old", 0}));
}

TEST_F(InPlaceTest, Gardener_13_130_NothingIfOldSetsAreEmpty) {
  scene_.base.old = {SetNamed("old", 0)};
  New(3);
  EXPECT_EQ(Plan(), InPlaceStep{});
}

TEST_F(InPlaceTest, Gardener_13_131_NothingToSizeIfEqual) {
  New(3);
  EXPECT_THAT(Plan().resize, IsEmpty());
}

TEST_F(InPlaceTest, Gardener_13_131_DownToTheWish) {
  New(4);
  EXPECT_THAT(Sizes(Plan()), ElementsAre(Size{"new", 3}));
}

TEST_F(InPlaceTest, Gardener_13_131_UpToTheWishWhenOldSetsAreEmpty) {
  scene_.base.old = {SetNamed("old", 0)};
  New(1);
  EXPECT_THAT(Sizes(Plan()), ElementsAre(Size{"new", 3}));
}

TEST_F(InPlaceTest, Gardener_13_131_UpByWhatIsMissing) {
  Old(1);
  New(1);
  EXPECT_THAT(Sizes(Plan()), ElementsAre(Size{"new", 2}));
}

TEST_F(InPlaceTest, Gardener_13_131_MovesWhatIsUpdatedAndSizesBothSets) {
  Old(2);
  New(1);
  Named("old2").in_place = {.candidate = true, .selected = true, .succeeded = true};
  const InPlaceStep step = Plan();
  EXPECT_THAT(step.transfer, ElementsAre(Transfer{"old2", "old"}));
  EXPECT_THAT(Sizes(step), ElementsAre(Size{"old", 1}, Size{"new", 2}));
}

TEST_F(InPlaceTest, MovesNothingThatIsStillUpdatingOrHasNoNode) {
  Old(3);
  Named("old1").in_place.succeeded = Named("old2").in_place.succeeded = true;
  Named("old1").in_place.selected = Named("old2").in_place.selected = true;
  Named("old1").phase = Phase::kUpdating;
  Named("old2").has_node = false;
  EXPECT_THAT(Plan().transfer, IsEmpty());
}

TEST_F(InPlaceTest, Gardener_13_132_OnlyCandidatesNotSelectedAndNoMoreThanAsked) {
  scene_.base.deployment.replicas = 6;
  scene_.base.deployment.max_unavailable = Amount::Of(3);
  Old(6);
  Named("old1").in_place.candidate = false;
  Named("old2").in_place.selected = true;
  EXPECT_THAT(Plan().select, ElementsAre("old3", "old4"));
}

TEST_F(InPlaceTest, WhatArrivedIsSettledBeforeAnythingElse) {
  Old(2);
  New(1);
  AddMachines("new", 1, {.succeeded = true, .handed_over = true});
  scene_.machines.back().name = "moved";
  const InPlaceStep step = Plan();
  EXPECT_THAT(step.settle, ElementsAre("moved"));
  // The crash came before the sizes were written: the new set is one short.
  EXPECT_THAT(Sizes(step), ElementsAre(Size{"new", 2}));
  EXPECT_THAT(step.select, IsEmpty());
}

TEST_F(InPlaceTest, OldSetsShrinkToTheMachinesTheyHave) {
  Old(2);
  New(1);
  scene_.base.old[0].replicas = 3;
  EXPECT_THAT(Sizes(Plan()), ElementsAre(Size{"old", 2}));
}

TEST_F(InPlaceTest, B_09_ASetThatIsCurrentAgainMayGrowAgain) {
  Old(3);
  scene_.base.current->creation_disabled = true;
  EXPECT_TRUE(Plan().thaw_current);
  Scene rolling = scene_.base;
  rolling.deployment.strategy = Strategy::kRollingUpdate;
  EXPECT_TRUE(PlanRollingUpdate(rolling).thaw_current);
}

TEST_F(InPlaceTest, AFailedUpdateHoldsItsPlaceInTheBudget) {
  Old(3);
  Named("old1").in_place.selected = true;
  Named("old1").phase = Phase::kUpdateFailed;
  EXPECT_THAT(Plan().select, IsEmpty());
}

}  // namespace
}  // namespace millwright::core::stepwise
