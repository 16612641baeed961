#include "core/node/sync.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace millwright::core {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct KeyCase {
  const char* name;
  StringMap present;
  StringMap wanted;
  std::set<std::string> ours;
  KeyChanges want;
};

const KeyCase kKeys[] = {
    {"Gardener_13_045_AChangedValue", {{"a", "1"}}, {{"a", "2"}}, {"a"}, {{{"a", "2"}}, {}}},
    {"Gardener_13_045_ANewKey", {{"a", "1"}}, {{"a", "1"}, {"b", "1"}}, {"a"}, {{{"b", "1"}}, {}}},
    {"Gardener_13_045_OneNotWantedAnyMore",
     {{"a", "1"}, {"b", "1"}},
     {{"a", "1"}},
     {"a", "b"},
     {{}, {"b"}}},
    {"Gardener_13_046_AnEditOnTheNodeIsUndone",
     {{"a", "edited"}},
     {{"a", "1"}},
     {"a"},
     {{{"a", "1"}}, {}}},
    {"Gardener_13_046_AForeignKeyStays", {{"x", "1"}, {"a", "1"}}, {{"a", "1"}}, {"a"}, {}},
    {"Gardener_13_046_ADeletedOneComesBack", {}, {{"a", "1"}}, {"a"}, {{{"a", "1"}}, {}}},
    {"Capi_12_036_NothingWantedNothingChanges", {{"x", "1"}}, {}, {}, {}},
    {"Capi_12_037_AddedNextToOthers", {{"x", "1"}}, {{"a", "1"}}, {}, {{{"a", "1"}}, {}}},
    {"Capi_12_039_TakenOverFromSomebodyElse",
     {{"a", "theirs"}},
     {{"a", "1"}},
     {},
     {{{"a", "1"}}, {}}},
    {"Capi_12_040_RemovedWithTheMachines", {{"a", "1"}}, {}, {"a"}, {{}, {"a"}}},
    {"Capi_12_040_SomebodyRemovedItBefore", {}, {}, {"a"}, {}},
    {"Gardener_13_049_CapacityLikewise",
     {{"cpu", "4"}, {"gpu", "1"}},
     {{"gpu", "2"}},
     {"gpu", "old"},
     {{{"gpu", "2"}}, {}}},
};

class KeyTest : public testing::TestWithParam<KeyCase> {};

TEST_P(KeyTest, AreSynced) {
  const KeyCase& c = GetParam();
  EXPECT_EQ(SyncKeys(c.present, c.wanted, c.ours), c.want);
}

INSTANTIATE_TEST_SUITE_P(All, KeyTest, testing::ValuesIn(kKeys),
                         [](const auto& test) { return std::string(test.param.name); });

const Taint kA{"a", "1", "NoSchedule"};
const Taint kB{"b", "1", "NoSchedule"};
const Taint kForeign{"x", "1", "NoExecute"};

TEST(Taints, Gardener_13_005_AreFoundByKeyAndEffect) {
  const TaintId critical{"node.gardener.cloud/critical-components-not-ready", "NoSchedule"};
  EXPECT_FALSE(HasTaint({}, critical));
  EXPECT_FALSE(HasTaint({kA, kForeign}, critical));
  EXPECT_FALSE(HasTaint({{critical.key, "", "NoExecute"}}, critical));
  EXPECT_TRUE(HasTaint({kA, {critical.key, "", critical.effect}}, critical));
}

TEST(Taints, Gardener_13_046_AreForcedAndForeignOnesStay) {
  const Taint edited{"a", "edited", "NoSchedule"};
  EXPECT_THAT(SyncTaints({kForeign, edited}, {kA}, {IdOf(kA)}), ElementsAre(kForeign, kA));
  EXPECT_THAT(SyncTaints({kForeign}, {kA}, {IdOf(kA)}), ElementsAre(kForeign, kA));
  EXPECT_THAT(SyncTaints({kForeign, kA, kB}, {kA}, {IdOf(kA), IdOf(kB)}),
              ElementsAre(kForeign, kA));
}

TEST(Taints, Gardener_13_047_TheEffectIsPartOfWhatTheyAre) {
  const Taint other{"a", "1", "NoExecute"};
  EXPECT_THAT(SyncTaints({other}, {kA}, {}), ElementsAre(other, kA));
}

TEST(Taints, Gardener_13_048_NothingToChangeChangesNothing) {
  EXPECT_THAT(SyncTaints({kB, kForeign, kA}, {kA, kB}, {IdOf(kA)}), ElementsAre(kB, kForeign, kA));
}

using Tracked = std::optional<std::set<TaintId>>;
const Tracked kNewNode = std::nullopt;

struct TrackedCase {
  const char* name;
  std::vector<Taint> present;
  std::vector<WantedTaint> wanted;
  Tracked tracked;
  TrackedTaints want;
};

const Taint kChanged{"a", "2", "NoSchedule"};
const Taint kHarder{"a", "1", "NoExecute"};

const TrackedCase kTracked[] = {
    {"Capi_12_045_NothingToTrackIsTrackedToo", {}, {}, kNewNode, {{}, {}}},
    {"Capi_12_046_Added", {kForeign}, {{kA}}, kNewNode, {{kForeign, kA}, {IdOf(kA)}}},
    {"Capi_12_046_AddedAgain", {}, {{kA}}, Tracked{{IdOf(kA)}}, {{kA}, {IdOf(kA)}}},
    {"Capi_12_047_Removed", {kA, kForeign}, {}, Tracked{{IdOf(kA)}}, {{kForeign}, {}}},
    {"Capi_12_048_AtFirst", {}, {{kA, true}}, kNewNode, {{kA}, {}}},
    {"Capi_12_048_NotLater", {}, {{kA, true}}, Tracked{{}}, {{}, {}}},
    {"Capi_12_048_NorTakenBack", {kA}, {}, Tracked{{}}, {{kA}, {}}},
    {"Capi_12_049_KeptThenOnlyAtFirst", {kA}, {{kA, true}}, Tracked{{IdOf(kA)}}, {{kA}, {}}},
    {"Capi_12_049_OnlyAtFirstThenKept", {kA}, {{kA}}, Tracked{{}}, {{kA}, {IdOf(kA)}}},
    {"Capi_12_050_ANewValueInPlace",
     {kA},
     {{kChanged}},
     Tracked{{IdOf(kA)}},
     {{kChanged}, {IdOf(kA)}}},
    {"Capi_12_050_ANewEffectIsAnotherTaint",
     {kA},
     {{kHarder}},
     Tracked{{IdOf(kA)}},
     {{kHarder}, {IdOf(kHarder)}}},
    {"Capi_12_051_TakenOver", {kChanged}, {{kA}}, kNewNode, {{kA}, {IdOf(kA)}}},
};

class TrackedTest : public testing::TestWithParam<TrackedCase> {};

TEST_P(TrackedTest, TaintsAreSynced) {
  const TrackedCase& c = GetParam();
  EXPECT_EQ(SyncTrackedTaints(c.present, c.wanted, c.tracked), c.want);
}

INSTANTIATE_TEST_SUITE_P(All, TrackedTest, testing::ValuesIn(kTracked),
                         [](const auto& test) { return std::string(test.param.name); });

StringMap AnyMap() {
  StringMap map;
  for (const char* key : {"a", "b", "c", "d"}) {
    if (*rc::gen::arbitrary<bool>()) map[key] = std::to_string(*rc::gen::inRange(0, 3));
  }
  return map;
}

RC_GTEST_PROP(KeySync, IsDoneAfterOnceAndTouchesNothingForeign, ()) {
  StringMap present = AnyMap();
  const StringMap wanted = AnyMap();
  std::set<std::string> ours;
  for (const auto& [key, value] : AnyMap()) ours.insert(key);
  const StringMap before = present;
  const KeyChanges changes = SyncKeys(present, wanted, ours);
  for (const auto& [key, value] : changes.set) present[key] = value;
  for (const std::string& key : changes.remove) present.erase(key);
  std::set<std::string> now_ours;
  for (const auto& [key, value] : wanted) now_ours.insert(key);
  RC_ASSERT(SyncKeys(present, wanted, now_ours).none());
  for (const auto& [key, value] : before) {
    if (!wanted.contains(key) && !ours.contains(key)) RC_ASSERT(present.at(key) == value);
  }
}

}  // namespace
}  // namespace millwright::core
