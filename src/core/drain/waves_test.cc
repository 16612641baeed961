#include "core/drain/waves.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/drain/volumes.h"
#include "core/testing/builders.h"

namespace millwright::core {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::kNow;

struct Row {
  const char* key;
  PodFate fate;
  int order = 0;
  bool going = false;
};

Waves Plan(std::initializer_list<Row> rows) {
  std::vector<Pod> pods;
  std::vector<PodVerdict> verdicts;
  for (const Row& row : rows) {
    pods.push_back({.key = row.key});
    if (row.going) pods.back().deleting_since = kNow;
    verdicts.push_back({row.fate, row.order, {}});
  }
  return PlanWaves(pods, verdicts);
}

TEST(Waves, Capi_12_078_NothingToDrainIsDone) {
  EXPECT_TRUE(Plan({}).done());
  EXPECT_TRUE(Plan({{"a", PodFate::kSkip}, {"b", PodFate::kSkip, 3}}).done());
}

TEST(Waves, Capi_12_088_OnlyTheLowestOrderGoes) {
  const Waves waves =
      Plan({{"e", PodFate::kEvict, 5}, {"a", PodFate::kEvict, -1}, {"c", PodFate::kEvict, 0}});
  EXPECT_THAT(waves.evict, ElementsAre("a"));
  EXPECT_THAT(waves.evict_later, ElementsAre("c", "e"));
}

TEST(Waves, Capi_12_088_UntilItsPodsAreGone) {
  const Waves waves = Plan({{"a", PodFate::kEvict, -1, true}, {"c", PodFate::kEvict, 0}});
  EXPECT_THAT(waves.evict, IsEmpty());
  EXPECT_THAT(waves.going, ElementsAre("a"));
  EXPECT_THAT(waves.evict_later, ElementsAre("c"));
}

TEST(Waves, WaitingHasItsPlaceInTheOrder) {
  const Waves now = Plan({{"w", PodFate::kWaitCompleted}, {"z", PodFate::kEvict, 1}});
  EXPECT_THAT(now.wait, ElementsAre("w"));
  EXPECT_THAT(now.evict_later, ElementsAre("z"));
  const Waves later = Plan({{"w", PodFate::kWaitCompleted}, {"a", PodFate::kEvict, -1}});
  EXPECT_THAT(later.wait_later, ElementsAre("w"));
  EXPECT_THAT(later.evict, ElementsAre("a"));
}

TEST(Waves, Capi_12_079_SortedByName) {
  EXPECT_THAT(Plan({{"b/x", PodFate::kEvict}, {"a/y", PodFate::kEvict}}).evict,
              ElementsAre("a/y", "b/x"));
}

VolumeScene Attached(std::optional<std::string> claim) {
  return {.reported = {"kubernetes.io/csi/d^h1"},
          .volumes = {{"pv1", "kubernetes.io/csi/d^h1", std::move(claim)},
                      {"pv2", "kubernetes.io/csi/d^h2", "ns/b"}}};
}

TEST(Volumes, Capi_12_091_AClaimedOneIsAwaitedByItsClaim) {
  EXPECT_EQ(FindVolumesLeft(Attached("ns/a")), (VolumesLeft{.claims = {"ns/a"}}));
  EXPECT_EQ(FindVolumesLeft(Attached({})), (VolumesLeft{.unclaimed = {"pv1"}}));
}

TEST(Volumes, Capi_12_091_AnUnknownOneIsAwaitedByItsName) {
  VolumeScene scene{.reported = {"in-tree/x"}, .attachments = {"pv9"}};
  EXPECT_EQ(FindVolumesLeft(scene),
            (VolumesLeft{.unknown = {"in-tree/x"}, .unattributed = {"pv9"}}));
}

TEST(Volumes, Capi_12_092_ThoseOfPodsThatStayAreNot) {
  VolumeScene scene = Attached("ns/a");
  scene.ignored_claims = {"ns/a"};
  EXPECT_TRUE(FindVolumesLeft(scene).none());
  scene.reported.clear();
  scene.attachments = {"pv1"};
  EXPECT_TRUE(FindVolumesLeft(scene).none());
}

TEST(Volumes, Capi_12_093_AttachmentsCountIfTheCallerLooksAtThem) {
  VolumeScene scene = Attached("ns/a");
  scene.reported.clear();
  EXPECT_TRUE(FindVolumesLeft(scene).none());
  scene.attachments = {"pv1"};
  EXPECT_EQ(FindVolumesLeft(scene), (VolumesLeft{.claims = {"ns/a"}}));
}

TEST(Volumes, Capi_12_095_NobodyWaitsForANodeNobodyReaches) {
  VolumeScene scene = Attached("ns/a");
  scene.node_unreachable = true;
  EXPECT_TRUE(FindVolumesLeft(scene).none());
  scene.node_unreachable = false;
  scene.node_exists = false;
  EXPECT_TRUE(FindVolumesLeft(scene).none());
}

TEST(Volumes, Gardener_13_071_SharedOnesAreNobodysToWaitFor) {
  const Pod pods[] = {{.key = "a", .volumes = {"own", "shared"}},
                      {.key = "b", .volumes = {"shared"}}};
  const auto exclusive = ExclusiveVolumes(pods);
  EXPECT_THAT(exclusive.at("a"), ElementsAre("own"));
  EXPECT_FALSE(exclusive.contains("b"));
}

TEST(Volumes, B_15_IdsAreTextAndNotPatterns) {
  const std::vector<std::string> attached = {"kubernetes.io/csi/driver^vol-1.a+b"};
  EXPECT_FALSE(HaveLeft({{"vol-1.a+b"}}, attached));
  EXPECT_TRUE(HaveLeft({{"vol-1xa"}}, attached));
  EXPECT_TRUE(HaveLeft({}, attached));
}

TEST(Volumes, Gardener_13_075_AnIdThatNobodyKnowsIsNotAwaited) {
  EXPECT_TRUE(HaveLeft({{""}}, {{"anything"}}));
}

}  // namespace
}  // namespace millwright::core
