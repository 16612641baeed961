// Nothing is written twice: what a patch made of an object leads to no other patch.
#include <gtest/gtest.h>

#include "dialects/gardener/render.h"
#include "dialects/gardener/testing.h"
#include "dialects/gardener/words.h"
#include "kube/api/merge_patch.h"

namespace millwright::dialects::gardener {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;
using testing::kNow;
using What = MachineReport::What;

// An object as a server keeps it.
class Stored {
 public:
  explicit Stored(std::string_view text) : object_(testing::Json(text)) {}
  explicit Stored(json::object object) : object_(std::move(object)) {}

  void Patch(const json::object& patch) {
    object_ = *kube::ApplyMergePatch(std::move(object_), json::value(patch));
  }

  std::string text() const { return json::serialize(object_); }

 private:
  json::value object_;
};

constexpr const char* kMachine = R"({"metadata":{"name":"m","namespace":"shoot","uid":"u",
  "creationTimestamp":"2026-11-16T09:00:00Z"},
  "spec":{"class":{"kind":"MachineClass","name":"small"},"drainTimeout":"1h"},
  "status":{"currentStatus":{"phase":"Running","lastUpdateTime":"2026-11-16T09:30:00Z",
      "preserveExpiryTime":"2026-11-20T00:00:00Z"},
    "lastOperation":{"type":"Create","state":"Failed","errorCode":"Internal","description":"no",
      "lastUpdateTime":"2026-11-16T09:30:00Z"}}})";

constexpr What kAll[] = {
    What::kPending,           What::kAvailable,  What::kCreateFailed,    What::kInitializeFailed,
    What::kNodeNameTaken,     What::kJoined,     What::kRejoined,        What::kUnwell,
    What::kNodeLost,          What::kGivenUp,    What::kJoinTimedOut,    What::kHealthReset,
    What::kDeletion,          What::kUpdating,   What::kUpdateSucceeded, What::kUpdateFailed,
    What::kUpdateDrainFailed, What::kConditions, What::kUpdateTimedOut,  What::kProblem};

TEST(Settle, AReportIsWrittenOnce) {
  for (const What what : kAll) {
    SCOPED_TRACE(static_cast<int>(what));
    const MachineReport report{
        .what = what,
        .message = "why",
        .code =
            what == What::kCreateFailed ? std::optional(core::CloudCode::kInternal) : std::nullopt,
        .stage = core::DeletionStage::kDrain,
        .took = 5min,
        .conditions = std::vector<core::Condition>{{"Ready", "True", kNow, "Fine", ""}},
        .remember = "x"};
    Stored stored(kMachine);
    const json::object patch = MachineStatus(testing::Machine(stored.text()), report, kNow);
    EXPECT_FALSE(patch.empty());
    stored.Patch(patch);
    const MachineRecord shown = testing::Machine(stored.text());
    EXPECT_EQ(shown.conditions.list(), *report.conditions);
    EXPECT_EQ(shown.remembered, "x");
    EXPECT_EQ(MachineStatus(shown, report, kNow + 1s), json::object());
  }
}

TEST(Settle, TimersStartWithThePhaseOnly) {
  Stored stored(kMachine);
  MachineReport report{.what = What::kCreateFailed, .message = "first"};
  stored.Patch(MachineStatus(testing::Machine(stored.text()), report, kNow));
  report.message = "something altogether different that has to be shown";
  stored.Patch(MachineStatus(testing::Machine(stored.text()), report, kNow + 5min));
  const MachineRecord shown = testing::Machine(stored.text());
  EXPECT_EQ(shown.phase_since, kNow);
  EXPECT_EQ(shown.operation.at, kNow + 5min);
  EXPECT_EQ(shown.core.preservation.until, std::nullopt);
}

TEST(Settle, AWholeDeletionIsReadBackStageByStage) {
  using enum core::DeletionStage;
  Stored stored(kMachine);
  for (const core::DeletionStage stage :
       {kFindNode, kDrain, kReleaseVolumes, kRemoveInstance, kRemoveNode, kLetGo}) {
    for (const char* message : {"", "done", "Initiate machine object finalizer removal"}) {
      stored.Patch(MachineStatus(testing::Machine(stored.text()),
                                 {.what = What::kDeletion, .message = message, .stage = stage},
                                 kNow));
      EXPECT_EQ(testing::Machine(stored.text()).stage, stage);
    }
  }
}

TEST(Settle, WhatIsRecordedIsRecordedOnce) {
  Stored stored(kMachine);
  stored.Patch(Recorded(testing::Machine(stored.text()), "i-1", "n-1"));
  EXPECT_EQ(Recorded(testing::Machine(stored.text()), "i-1", "n-1"), json::object());
  const core::ScalerMark mark{"m", kNow};
  stored.Patch(Marked(testing::Machine(stored.text()), mark));
  EXPECT_TRUE(testing::Machine(stored.text()).core.disposal.chosen);
  EXPECT_EQ(Marked(testing::Machine(stored.text()), mark), json::object());
}

constexpr const char* kPool = R"({"metadata":{"name":"pool","namespace":"shoot","uid":"d",
  "generation":1,"annotations":{"team":"x",
    "node.machine.sapcloud.io/effective-creation-timeout":"30m"}},
  "spec":{"replicas":2,"strategy":{"type":"Recreate"},"minReadySeconds":3,
    "autoPreserveFailedMachineMax":1,
    "selector":{"matchLabels":{"name":"pool"},
      "matchExpressions":[{"key":"name","operator":"Exists"}]},
    "template":{"metadata":{"labels":{"name":"pool"}},
      "spec":{"class":{"kind":"MachineClass","name":"small"},"healthTimeout":"90s",
        "maxEvictRetries":3,"nodeTemplate":{"metadata":{"labels":{"zone":"a"}},
          "spec":{"taints":[{"key":"k","effect":"NoSchedule"}]}}}}}})";

Stored SetOf(const DeploymentRecord& pool) {
  NewSet set = NameSet(pool);
  set.replicas = 2;
  set.revision = 1;
  Stored stored(NewSetBody(pool, set));
  stored.Patch({{"metadata", json::object{{"uid", "s"}, {"generation", 1}}}});
  return stored;
}

const SetWish kKeep{
    .replicas = 2, .desired_note = 2, .max_note = 3, .revision = 1, .hand_down = true};

TEST(Settle, ASetIsChangedOnce) {
  const DeploymentRecord pool = testing::Deployment(kPool);
  Stored stored = SetOf(pool);
  stored.Patch(ChangedSet(pool, testing::Set(stored.text()), kKeep));
  EXPECT_EQ(ChangedSet(pool, testing::Set(stored.text()), kKeep), json::object());

  Stored changed(kPool);
  changed.Patch(testing::Json(R"({"spec":{"minReadySeconds":null,"template":{"spec":{
      "class":{"kind":"Other"},"healthTimeout":null,"drainTimeout":"2h",
      "nodeTemplate":{"metadata":{"labels":{"zone":null,"tier":"b"}},"spec":null}}}}})")
                    .as_object());
  const DeploymentRecord next = testing::Deployment(changed.text());
  EXPECT_EQ(next.machine_template.rolls, pool.machine_template.rolls);
  stored.Patch(ChangedSet(next, testing::Set(stored.text()), kKeep));
  EXPECT_EQ(testing::Set(stored.text()).machine_template.passes, next.machine_template.passes);
  EXPECT_EQ(ChangedSet(next, testing::Set(stored.text()), kKeep), json::object());
}

TEST(Settle, AMachineIsAsItsSetAndFollowsIt) {
  const DeploymentRecord pool = testing::Deployment(kPool);
  Stored stored_set = SetOf(pool);
  Stored machine(*NewMachine(testing::Set(stored_set.text()), "m"));
  EXPECT_EQ(HandedDown(testing::Set(stored_set.text()), testing::Machine(machine.text())),
            json::object());
  EXPECT_EQ(testing::Machine(machine.text()).limits().creation, 30min);

  stored_set.Patch(testing::Json(R"({"spec":{"template":{"spec":{"healthTimeout":null,
      "drainTimeout":"2h","nodeTemplate":null}}}})")
                       .as_object());
  const SetRecord set = testing::Set(stored_set.text());
  machine.Patch(HandedDown(set, testing::Machine(machine.text())));
  EXPECT_EQ(HandedDown(set, testing::Machine(machine.text())), json::object());
  EXPECT_EQ(testing::Machine(machine.text()).limits().drain, 2h);
  EXPECT_EQ(testing::Machine(machine.text()).limits().health, std::nullopt);
}

TEST(Settle, StatusesAreWrittenOnce) {
  const DeploymentRecord pool = testing::Deployment(kPool);
  Stored stored = SetOf(pool);
  const SetReport report{.counts = {.replicas = 1},
                         .failure = ReplicaFailure{true, "quota"},
                         .failed = {{.name = "m", .operation = {.description = "x", .at = kNow}}},
                         .freeze = true};
  stored.Patch(SetStatus(testing::Set(stored.text()), report, kNow));
  const SetRecord set = testing::Set(stored.text());
  EXPECT_TRUE(set.shows_frozen && set.core.report_is_current);
  EXPECT_EQ(SetStatus(set, report, kNow + 1h), json::object());

  Stored deployment(kPool);
  const DeploymentReport shown{.counts = {.replicas = 1},
                               .unavailable = 1,
                               .progress = core::Progress{core::Progress::Status::kTrue,
                                                          core::ProgressReason::kSetUpdated, kNow},
                               .failed = report.failed,
                               .collision_count = 1,
                               .observed_generation = 1,
                               .freeze = true};
  const SetRecord* const sets[] = {&set};
  deployment.Patch(DeploymentStatus(testing::Deployment(deployment.text()), sets, shown, kNow));
  const DeploymentRecord read = testing::Deployment(deployment.text());
  EXPECT_EQ(read.progress, shown.progress);
  EXPECT_EQ(read.collision_count, 1);
  EXPECT_EQ(DeploymentStatus(read, sets, shown, kNow + 1h), json::object());
}

TEST(Settle, GoingBackIsDoneOnce) {
  const DeploymentRecord pool = testing::Deployment(kPool);
  const SetRecord old = testing::Set(SetOf(pool).text());
  Stored changed(kPool);
  changed.Patch(testing::Json(R"({"metadata":{"annotations":{"new":"1"}},"spec":{"rollbackTo":{},
      "template":{"metadata":{"labels":{"x":"y"}},"spec":{"class":{"name":"large"}}}}})")
                    .as_object());
  changed.Patch(RolledBack(testing::Deployment(changed.text()), &old));
  const DeploymentRecord back = testing::Deployment(changed.text());
  EXPECT_EQ(back.machine_template, pool.machine_template);
  EXPECT_EQ(back.annotations, pool.annotations);
  EXPECT_FALSE(back.core.rollback_to);
}

}  // namespace
}  // namespace millwright::dialects::gardener
