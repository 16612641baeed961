#include "core/health/node.h"

#include <gtest/gtest.h>

#include <vector>

namespace millwright::core {
namespace {

const std::vector<std::string> kWatched = {"KernelDeadlock", "ReadonlyFilesystem", "DiskPressure",
                                           "NetworkUnavailable"};

struct Case {
  const char* name;
  std::vector<Condition> conditions;
  bool want;
};

Condition Of(const char* type, const char* status) { return {.type = type, .status = status}; }

const Case kCases[] = {
    {"Gardener_13_001_ReadyAlone", {Of("Ready", "True")}, true},
    {"Gardener_13_002_NotReady", {Of("Ready", "False")}, false},
    {"Gardener_13_002_ReadyUnknown", {Of("Ready", "Unknown")}, false},
    {"Gardener_13_003_DiskPressure", {Of("Ready", "True"), Of("DiskPressure", "True")}, false},
    {"Gardener_13_003_DiskPressureUnknown",
     {Of("Ready", "True"), Of("DiskPressure", "Unknown")},
     false},
    {"Gardener_13_003_NoDiskPressure", {Of("Ready", "True"), Of("DiskPressure", "False")}, true},
    {"Gardener_13_003_NoNetwork", {Of("Ready", "True"), Of("NetworkUnavailable", "True")}, false},
    {"Gardener_13_003_NetworkUnknown",
     {Of("Ready", "True"), Of("NetworkUnavailable", "Unknown")},
     false},
    {"Gardener_13_003_Network", {Of("Ready", "True"), Of("NetworkUnavailable", "False")}, true},
    {"Gardener_13_004_NobodyWatchesMemory",
     {Of("Ready", "True"), Of("MemoryPressure", "True")},
     true},
    {"Gardener_13_004_NorIfUnknown", {Of("Ready", "True"), Of("MemoryPressure", "Unknown")}, true},
    {"NothingReported", {}, false},
    {"NamesAreExact", {Of("Ready", "True"), Of("diskpressure", "True")}, true},
};

class NodeTest : public testing::TestWithParam<Case> {};

TEST_P(NodeTest, IsWellOrNot) {
  EXPECT_EQ(IsNodeWell(GetParam().conditions, kWatched), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(All, NodeTest, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(NodeConditions, DifferByTypeAndStatusAndOneByReason) {
  const std::vector<Condition> before = {Of("Ready", "True"),
                                         {"InPlaceUpdate", "True", {}, "Selected", ""}};
  std::vector<Condition> now = before;
  now[0].reason = "KubeletReady";
  now[0].since += std::chrono::hours(1);
  EXPECT_FALSE(ConditionsDiffer(before, now, "InPlaceUpdate"));
  now[1].reason = "Ready";
  EXPECT_TRUE(ConditionsDiffer(before, now, "InPlaceUpdate"));
  EXPECT_FALSE(ConditionsDiffer(before, now, ""));
  now[0].status = "False";
  EXPECT_TRUE(ConditionsDiffer(before, now, ""));
  EXPECT_TRUE(ConditionsDiffer(before, {{Of("Ready", "True"), Of("Other", "True")}}, ""));
  EXPECT_TRUE(ConditionsDiffer(before, {{Of("Ready", "True")}}, ""));
}

}  // namespace
}  // namespace millwright::core
