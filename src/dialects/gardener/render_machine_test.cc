#include <gtest/gtest.h>

#include "dialects/gardener/render.h"
#include "dialects/gardener/testing.h"

namespace millwright::dialects::gardener {
namespace {

using namespace std::chrono_literals;
using core::CloudCode;
using core::DeletionStage;
using core::Phase;
using testing::Is;
using testing::kNow;
using What = MachineReport::What;

MachineRecord InPhase(std::string_view phase, std::string_view operation = "{}") {
  return testing::Machine(std::string(R"({"metadata":{"name":"m","creationTimestamp":
      "2026-11-16T09:50:00Z"},"spec":{"class":{"kind":"MachineClass","name":"c"}},
      "status":{"currentStatus":{"phase":")") +
                          std::string(phase) +
                          R"(","lastUpdateTime":"2026-11-16T09:55:00Z",
      "preserveExpiryTime":"2026-11-20T00:00:00Z"},"lastOperation":)" +
                          std::string(operation) + "}}");
}

struct StatusCase {
  const char* name;
  const char* phase;
  MachineReport report;
  const char* current;    // of the patch
  const char* operation;  // likewise, without its time
};

const StatusCase kCases[] = {
    {"Gardener_13_029_Pending",
     "",
     {.what = What::kPending},
     R"({"phase":"Pending","lastUpdateTime":"2026-11-16T10:00:00Z","timeoutActive":true,
         "preserveExpiryTime":null})",
     R"({"type":"Create","state":"Processing","description":"Creating machine on cloud provider"})"},
    {"Gardener_13_039_Available",
     "",
     {.what = What::kAvailable},
     R"({"phase":"Available","lastUpdateTime":"2026-11-16T10:00:00Z","timeoutActive":null,
         "preserveExpiryTime":null})",
     R"({"type":"Create","state":"Successful","description":"Created machine on cloud provider"})"},
    {"Gardener_13_031_CreateFailed",
     "",
     {.what = What::kCreateFailed, .message = "no", .code = CloudCode::kInternal},
     R"({"phase":"CrashLoopBackOff","lastUpdateTime":"2026-11-16T10:00:00Z","timeoutActive":null,
         "preserveExpiryTime":null})",
     R"({"type":"Create","state":"Failed","errorCode":"Internal","description":
         "Cloud provider message - machine codes error: code = [Internal] message = [no]"})"},
    {"AFailureThatNobodyCanReadIsUnknown",
     "",
     {.what = What::kCreateFailed, .message = "no"},
     R"({"phase":"CrashLoopBackOff","lastUpdateTime":"2026-11-16T10:00:00Z","timeoutActive":null,
         "preserveExpiryTime":null})",
     R"({"type":"Create","state":"Failed","errorCode":"Unknown","description":
         "Cloud provider message - no"})"},
    {"Gardener_13_033_CreateFailedForGood",
     "CrashLoopBackOff",
     {.what = What::kCreateFailed,
      .phase = Phase::kFailed,
      .message = "no",
      .code = CloudCode::kInternal},
     R"({"phase":"Failed","lastUpdateTime":"2026-11-16T10:00:00Z","timeoutActive":null,
         "preserveExpiryTime":null})",
     R"({"type":"Create","state":"Failed","errorCode":"Internal","description":
         "Cloud provider message - machine codes error: code = [Internal] message = [no]"})"},
    {"Gardener_13_036_InitializeFailed",
     "",
     {.what = What::kInitializeFailed, .message = "no", .code = CloudCode::kUninitialized},
     R"({"phase":"CrashLoopBackOff","lastUpdateTime":"2026-11-16T10:00:00Z","timeoutActive":null,
         "preserveExpiryTime":null})",
     R"({"type":"Create","state":"Failed","errorCode":"Uninitialized","description":
     "Provider error: machine codes error: code = [Uninitialized] message = [no]. Initialize VM Instance"})"},
    {"Gardener_13_034_NodeNameTaken",
     "",
     {.what = What::kNodeNameTaken, .code = CloudCode::kOk},
     R"({"phase":"Failed","lastUpdateTime":"2026-11-16T10:00:00Z","timeoutActive":null,
         "preserveExpiryTime":null})",
     R"({"type":"Create","state":"Failed","description":"VM using old node obj"})"},
    {"Gardener_13_016_Joined",
     "Pending",
     {.what = What::kJoined, .took = 90s},
     R"({"phase":"Running","lastUpdateTime":"2026-11-16T10:00:00Z","timeoutActive":null})",
     R"({"type":"Create","state":"Successful",
         "description":"Machine m successfully joined the cluster in 1m30s"})"},
    {"Gardener_13_009_Rejoined",
     "Unknown",
     {.what = What::kRejoined},
     R"({"phase":"Running","lastUpdateTime":"2026-11-16T10:00:00Z","timeoutActive":null})",
     R"({"type":"HealthCheck","state":"Successful",
         "description":"Machine m successfully re-joined the cluster"})"},
    {"Gardener_13_010_Unwell",
     "Running",
     {.what = What::kUnwell,
      .conditions =
          std::vector<core::Condition>{{.type = "Ready", .status = "False", .reason = "Gone"}}},
     R"({"phase":"Unknown","lastUpdateTime":"2026-11-16T10:00:00Z","timeoutActive":null})",
     R"J({"type":"HealthCheck","state":"Processing",
         "description":"Machine m is unhealthy. Node conditions: Ready=False (Gone)"})J"},
    {"Gardener_13_012_NodeLost",
     "Running",
     {.what = What::kNodeLost},
     R"({"phase":"Unknown","lastUpdateTime":"2026-11-16T10:00:00Z","timeoutActive":null})",
     R"({"type":"HealthCheck","state":"Processing",
         "description":"Machine m is unhealthy: its node object went missing"})"},
    {"Gardener_13_006_JoinTimedOut",
     "Pending",
     {.what = What::kJoinTimedOut, .took = 20min},
     R"({"phase":"Failed","lastUpdateTime":"2026-11-16T10:00:00Z","timeoutActive":null})",
     R"({"type":"Create","state":"Failed",
         "description":"Machine m failed to join the cluster in 20m0s minutes."})"},
    {"Gardener_13_051_Deletion",
     "Running",
     {.what = What::kDeletion},
     R"({"phase":"Terminating","lastUpdateTime":"2026-11-16T10:00:00Z","timeoutActive":null,
         "preserveExpiryTime":null})",
     R"({"type":"Delete","state":"Processing",
         "description":"Set machine status to termination. Now, getting VM Status"})"},
    {"Gardener_13_018_UpdateTimedOut",
     "InPlaceUpdating",
     {.what = What::kUpdateTimedOut, .took = 20min},
     R"({"phase":"InPlaceUpdateFailed","lastUpdateTime":"2026-11-16T10:00:00Z",
         "timeoutActive":null,"preserveExpiryTime":null})",
     R"({"type":"InPlaceUpdate","state":"Failed",
         "description":"Machine m: its in-place update took longer than 20m0s"})"},
    {"Gardener_13_019_UpdateFailed",
     "InPlaceUpdating",
     {.what = What::kUpdateFailed, .message = "disk full"},
     R"({"phase":"InPlaceUpdateFailed","lastUpdateTime":"2026-11-16T10:00:00Z",
         "timeoutActive":null,"preserveExpiryTime":null})",
     R"({"type":"InPlaceUpdate","state":"Failed",
         "description":"Machine m: its in-place update failed: disk full"})"},
};

class MachineStatusTest : public ::testing::TestWithParam<StatusCase> {};

TEST_P(MachineStatusTest, IsWhatUpstreamShows) {
  const auto patch = MachineStatus(InPhase(GetParam().phase), GetParam().report, kNow);
  ASSERT_TRUE(patch.contains("status"));
  const auto& status = patch.at("status").as_object();
  EXPECT_TRUE(Is(status.at("currentStatus").as_object(), GetParam().current));
  auto operation = status.at("lastOperation").as_object();
  EXPECT_EQ(operation.at("lastUpdateTime"), "2026-11-16T10:00:00Z");
  operation.erase("lastUpdateTime");
  EXPECT_TRUE(Is(operation, GetParam().operation));
}

INSTANTIATE_TEST_SUITE_P(All, MachineStatusTest, ::testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

constexpr const char* kCreating = R"({"type":"Create","state":"Failed","errorCode":"Internal",
  "description":"Cloud provider message - machine codes error: code = [Internal] message = [the request 1234 was refused]",
  "lastUpdateTime":"2026-11-16T09:59:00Z"})";

TEST(MachineStatus, AMachineStillInCreationJoinsNow) {
  const auto patch =
      MachineStatus(InPhase("CrashLoopBackOff", kCreating), {.what = What::kRejoined}, kNow);
  EXPECT_TRUE(Is(patch.at("status").at("lastOperation").as_object(), R"({"type":"Create",
      "state":"Successful","errorCode":null,"lastUpdateTime":"2026-11-16T10:00:00Z",
      "description":"Machine m successfully joined the cluster in 10m0s"})"));
}

TEST(MachineStatus, Gardener_13_067_ANewRequestIdIsNoNews) {
  const MachineReport report{.what = What::kCreateFailed,
                             .message = "the request 5678 was refused",
                             .code = CloudCode::kInternal};
  EXPECT_TRUE(MachineStatus(InPhase("CrashLoopBackOff", kCreating), report, kNow).empty());
  // An hour later it is said again, and the time of the phase stays.
  const auto later = MachineStatus(InPhase("CrashLoopBackOff", kCreating), report, kNow + 1h);
  EXPECT_FALSE(later.at("status").at("currentStatus").as_object().contains("lastUpdateTime"));
}

TEST(MachineStatus, WhatTheProviderWantsKeptIsNeverLost) {
  const MachineReport report{.what = What::kCreateFailed,
                             .message = "the request 5678 was refused",
                             .code = CloudCode::kInternal,
                             .remember = "step 2"};
  EXPECT_TRUE(Is(MachineStatus(InPhase("CrashLoopBackOff", kCreating), report, kNow),
                 R"({"status":{"lastKnownState":"step 2"}})"));
}

constexpr const char* kDeleting = R"({"type":"Delete","state":"Processing",
  "description":"Initiate node drain","lastUpdateTime":"2026-11-16T09:59:50Z"})";

TEST(MachineStatus, Gardener_13_067_AStageIsAlwaysWritten) {
  const auto patch = MachineStatus(InPhase("Terminating", kDeleting),
                                   {.what = What::kDeletion,
                                    .message = "Drain successful.",
                                    .stage = DeletionStage::kRemoveInstance},
                                   kNow);
  EXPECT_TRUE(Is(patch.at("status").at("lastOperation").as_object(), R"({"type":"Delete",
      "state":"Processing","description":"Drain successful. Initiate VM deletion",
      "lastUpdateTime":"2026-11-16T10:00:00Z"})"));
}

TEST(MachineStatus, Gardener_13_058_AFailureInAStageKeepsItsToken) {
  const auto patch = MachineStatus(InPhase("Terminating", kDeleting),
                                   {.what = What::kDeletion,
                                    .message = "cannot write the condition of the node",
                                    .stage = DeletionStage::kDrain,
                                    .state = OperationState::kFailed},
                                   kNow);
  EXPECT_TRUE(Is(patch.at("status").at("lastOperation").as_object(), R"({"type":"Delete",
      "state":"Failed","lastUpdateTime":"2026-11-16T10:00:00Z",
      "description":"cannot write the condition of the node. Initiate node drain"})"));
}

TEST(MachineStatus, TheSameStageIsNotWrittenTwice) {
  EXPECT_TRUE(MachineStatus(InPhase("Terminating", kDeleting),
                            {.what = What::kDeletion, .stage = DeletionStage::kDrain}, kNow)
                  .empty());
}

TEST(MachineStatus, ConditionsAreCopiedIfTheyDiffer) {
  MachineRecord machine = InPhase("Running");
  const core::Condition ready{"Ready", "True", testing::At("2026-11-16T09:00:00Z"), "Fine", "ok"};
  const MachineReport report{.conditions = std::vector{ready}};
  EXPECT_TRUE(Is(MachineStatus(machine, report, kNow), R"({"status":{"conditions":[
      {"type":"Ready","status":"True","lastTransitionTime":"2026-11-16T09:00:00Z",
       "reason":"Fine","message":"ok"}]}})"));
  machine.conditions = {ready};
  EXPECT_TRUE(MachineStatus(machine, report, kNow + 24h).empty());
}

TEST(MachineStatus, AProblemIsSaidOnce) {
  const MachineReport report{.what = What::kProblem, .message = "class c is not there"};
  const auto patch = MachineStatus(InPhase(""), report, kNow);
  EXPECT_TRUE(Is(patch, R"({"status":{"lastOperation":{"type":"Create","state":"Failed",
      "description":"class c is not there","lastUpdateTime":"2026-11-16T10:00:00Z"}}})"));
  const MachineRecord shown = InPhase("", R"({"type":"Create","state":"Failed",
      "description":"class c is not there","lastUpdateTime":"2026-11-16T10:00:00Z"})");
  EXPECT_TRUE(MachineStatus(shown, report, kNow + 24h).empty());
}

TEST(MachineNotes, OnlyAFailedMachineHasSomethingToRemember) {
  const MachineReport report{.what = What::kDeletion};
  EXPECT_TRUE(Is(MachineNotes(InPhase("Failed"), report), R"({"metadata":{"annotations":
      {"millwright.dev/state":"{\"phaseBeforeDeletion\":\"Failed\"}"}}})"));
  EXPECT_TRUE(MachineNotes(InPhase("Running"), report).empty());
  EXPECT_TRUE(MachineNotes(InPhase("Failed"), {.what = What::kProblem}).empty());
}

TEST(Recorded, Gardener_13_028_WritesWhatIsMissing) {
  MachineRecord machine = InPhase("");
  EXPECT_TRUE(Is(Recorded(machine, "aws:///i-1", "ip-1"), R"({
      "metadata":{"labels":{"node":"ip-1"},
        "annotations":{"machinepriority.machine.sapcloud.io":"3"}},
      "spec":{"providerID":"aws:///i-1"}})"));
  machine.node = "ip-1";
  machine.has_priority = true;
  EXPECT_TRUE(
      Is(Recorded(machine, "aws:///i-1", "ip-1"), R"({"spec":{"providerID":"aws:///i-1"}})"));
  machine.instance = "aws:///i-1";
  EXPECT_TRUE(Recorded(machine, "aws:///i-1", "ip-1").empty());
}

TEST(Recorded, Gardener_13_038_WithoutATargetThereIsNoNode) {
  EXPECT_TRUE(Is(Recorded(InPhase(""), "i-1", ""), R"({"spec":{"providerID":"i-1"},
      "metadata":{"annotations":{"machinepriority.machine.sapcloud.io":"3"}}})"));
}

TEST(Marked, Gardener_13_119_HasPriorityOneAndTheTime) {
  EXPECT_TRUE(Is(Marked(InPhase("Running"), {"m", testing::At("2026-11-16T09:00:00Z")}),
                 R"({"metadata":{"annotations":{"machinepriority.machine.sapcloud.io":"1",
      "machine.sapcloud.io/marked-for-deletion-time":"2026-11-16T09:00:00Z"}}})"));
}

TEST(AutoPreserved, IsAWishOfOurs) {
  MachineRecord machine = InPhase("Failed");
  EXPECT_TRUE(Is(AutoPreserved(machine, true), R"({"metadata":{"annotations":
      {"node.machine.sapcloud.io/preserve":"auto-preserved"}}})"));
  EXPECT_TRUE(AutoPreserved(machine, false).empty());
  machine.wish = core::WrittenWish{true, core::PreserveWish::kAutomatic};
  EXPECT_TRUE(Is(AutoPreserved(machine, false), R"({"metadata":{"annotations":
      {"node.machine.sapcloud.io/preserve":null}}})"));
}

}  // namespace
}  // namespace millwright::dialects::gardener
