#include "core/replicas/preflight.h"

#include <gtest/gtest.h>

namespace millwright::core {
namespace {

using Check = PreflightCheck;

PreflightView Plain() {
  return {.enabled = {Check::kControlPlaneIsStable, Check::kVersionSkew,
                      Check::kBootstrapVersionSkew, Check::kControlPlaneVersionSkew},
          .has_control_plane = true,
          .control_plane_version = "v1.31.2",
          .machine_version = "v1.31.0"};
}

struct Case {
  const char* name;
  void (*change)(PreflightView&);
  std::vector<Check> fails;
};

const Case kCases[] = {
    {"Capi_12_121_Fits", [](PreflightView&) {}, {}},
    {"Capi_12_121_NoControlPlane",
     [](PreflightView& v) {
       v.has_control_plane = false;
       v.machine_version = "v1.99.0";
     },
     {}},
    {"Capi_12_121_ControlPlaneWithoutVersion",
     [](PreflightView& v) {
       v.control_plane_version.clear();
       v.machine_version = "v1.99.0";
     },
     {}},
    {"Capi_12_121_Provisioning",
     [](PreflightView& v) { v.control_plane_provisioning = true; },
     {Check::kControlPlaneIsStable}},
    {"Capi_12_121_Upgrading",
     [](PreflightView& v) { v.control_plane_upgrading = true; },
     {Check::kControlPlaneIsStable}},
    {"Capi_12_121_TheClusterWantsAnotherVersion",
     [](PreflightView& v) {
       v.managed = true;
       v.managed_version = "v1.32.0";
       v.machine_version = v.control_plane_version;
     },
     {Check::kControlPlaneIsStable}},
    {"Capi_12_121_AnUpgradeInStepsIsThere",
     [](PreflightView& v) {
       v.managed = true;
       v.managed_version = "v1.32.0";
       v.upgrade_step = v.machine_version = v.control_plane_version;
     },
     {}},
    {"Capi_12_121_TooNew",
     [](PreflightView& v) { v.machine_version = "v1.32.0"; },
     {Check::kVersionSkew}},
    {"Capi_12_121_ThreeVersionsOlder", [](PreflightView& v) { v.machine_version = "v1.28.0"; }, {}},
    {"Capi_12_121_FourVersionsOlder",
     [](PreflightView& v) { v.machine_version = "v1.27.0"; },
     {Check::kVersionSkew}},
    {"Capi_12_121_TheJoinToolWantsTheSameMinor",
     [](PreflightView& v) {
       v.machine_version = "v1.30.0";
       v.bootstrap_needs_same_minor = true;
     },
     {Check::kBootstrapVersionSkew}},
    {"Capi_12_121_ManagedWantsTheSame",
     [](PreflightView& v) {
       v.managed = true;
       v.managed_version = v.control_plane_version;
     },
     {Check::kControlPlaneVersionSkew}},
    {"Capi_12_121_Skipped",
     [](PreflightView& v) {
       v.machine_version = "v1.32.0";
       v.enabled.erase(Check::kVersionSkew);
     },
     {}},
    {"NoUnderflowForOldControlPlanes",
     [](PreflightView& v) {
       v.control_plane_version = "v1.2.0";
       v.machine_version = "v1.2.0";
     },
     {}},
};

class PreflightTest : public testing::TestWithParam<Case> {};

TEST_P(PreflightTest, SaysWhatSpeaksAgainstIt) {
  PreflightView view = Plain();
  GetParam().change(view);
  const auto failures = CheckPreflight(view);
  ASSERT_TRUE(failures);
  std::vector<Check> checks;
  for (const PreflightFailure& failure : *failures) checks.push_back(failure.check);
  EXPECT_EQ(checks, GetParam().fails);
}

INSTANTIATE_TEST_SUITE_P(All, PreflightTest, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(Preflight, Capi_12_121_AVersionThatCannotBeReadIsAnError) {
  PreflightView view = Plain();
  view.control_plane_version = "one";
  EXPECT_FALSE(CheckPreflight(view));
  view = Plain();
  view.machine_version = "v1.x";
  EXPECT_FALSE(CheckPreflight(view));
}

TEST(Versions, AreReadWithWhatFollows) {
  EXPECT_EQ(*ParseVersion("v1.31.2"), (Version{1, 31, 2}));
  EXPECT_EQ(*ParseVersion("1.31.2+k3s1"), (Version{1, 31, 2}));
  EXPECT_EQ(*ParseVersion("v1.32.0-rc.1"), (Version{1, 32, 0}));
  for (const char* text : {"", "v", "1", "1.2", "v1.2.x", "v1.2.3x", "v-1.2.3", "v1..3"}) {
    EXPECT_FALSE(ParseVersion(text)) << text;
  }
}

}  // namespace
}  // namespace millwright::core
