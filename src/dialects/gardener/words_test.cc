#include "dialects/gardener/words.h"

#include <gtest/gtest.h>

namespace millwright::dialects::gardener {
namespace {

using core::DeletionStage;
using core::Phase;

struct StageCase {
  const char* name;
  const char* description;
  std::optional<DeletionStage> want;
};

const StageCase kStages[] = {
    {"Gardener_13_051_TheFirstToken", "Set machine status to termination. Now, getting VM Status",
     DeletionStage::kFindNode},
    {"Gardener_13_052_Drain", "Initiate node drain", DeletionStage::kDrain},
    {"Gardener_13_055_VolumesAfterForce", "Force Drain successful. Delete Volume Attachments",
     DeletionStage::kReleaseVolumes},
    {"Gardener_13_053_Instance", "Drain successful. Initiate VM deletion",
     DeletionStage::kRemoveInstance},
    {"Gardener_13_060_Node", "VM deletion was successful. Initiate node object deletion",
     DeletionStage::kRemoveNode},
    {"Gardener_13_061_LetGo", "Initiate machine object finalizer removal", DeletionStage::kLetGo},
    {"Gardener_13_063_AnythingElseIsNone", "Deleting machine from cloud provider", std::nullopt},
    {"NothingIsNone", "", std::nullopt},
    {"ATokenInTheWordsOfACloudIsNotTheStage",
     "Quota: Initiate machine object finalizer removal is refused. Initiate VM deletion",
     DeletionStage::kRemoveInstance},
    {"ATokenAnywhereIfNoneIsLast", "Initiate VM deletion: cannot reach the cloud",
     DeletionStage::kRemoveInstance},
};

class StageTest : public ::testing::TestWithParam<StageCase> {};

TEST_P(StageTest, IsReadFromTheDescription) {
  EXPECT_EQ(ParseStage(GetParam().description), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(All, StageTest, ::testing::ValuesIn(kStages),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(Phase, IsReadAsItIsWritten) {
  for (const Phase phase : {Phase::kNew, Phase::kCreateFailing, Phase::kJoining, Phase::kAvailable,
                            Phase::kRunning, Phase::kUnhealthy, Phase::kUpdating, Phase::kUpdated,
                            Phase::kUpdateFailed, Phase::kFailed, Phase::kDeleting}) {
    EXPECT_EQ(ParsePhase(PhaseText(phase)), phase);
  }
  EXPECT_EQ(ParsePhase("Dancing"), Phase::kNew);
  EXPECT_EQ(PhaseText(Phase::kProvisioning), "");
}

TEST(Operation, IsReadAsItIsWritten) {
  using enum Operation;
  for (const Operation operation :
       {kNone, kCreate, kHealthCheck, kDrain, kDelete, kUpdateInPlace}) {
    EXPECT_EQ(ParseOperation(OperationText(operation)), operation);
  }
  EXPECT_EQ(ParseOperation("Update"), kNone);
}

TEST(CloudError, HasTheFormThatOthersDecode) {
  EXPECT_EQ(CloudErrorText(core::CloudCode::kInternal, "no route [eu]"),
            "machine codes error: code = [Internal] message = [no route [eu]]");
  EXPECT_EQ(CloudErrorText(std::nullopt, "broken"), "broken");
}

TEST(IsTrue, Gardener_13_065_OnlyWhatGoCallsTrue) {
  for (const char* text : {"1", "t", "T", "true", "True", "TRUE"}) EXPECT_TRUE(IsTrue(text));
  for (const char* text : {"", "0", "false", "bogus", "tRUE", "yes"}) EXPECT_FALSE(IsTrue(text));
}

TEST(Wish, Gardener_13_089_AnUnknownWordIsNoWish) {
  EXPECT_EQ(ParseWish("now"), (core::WrittenWish{.valid = true, .wish = core::PreserveWish::kNow}));
  EXPECT_EQ(ParseWish("false"),
            (core::WrittenWish{.valid = true, .wish = core::PreserveWish::kNever}));
  EXPECT_EQ(ParseWish("later"), core::WrittenWish{});
  EXPECT_EQ(ParseWish(""), core::WrittenWish{});
}

}  // namespace
}  // namespace millwright::dialects::gardener
