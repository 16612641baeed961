#include "cli/diagnosis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/describe_view.h"
#include "cli/shown_conditions.h"

namespace millwright::cli {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

const WallTime kNow = WallTime(1000h);
const DiagnosisRules kRules{.set_kind = "MachineSet",
                            .machine_kind = "Machine",
                            .class_kind = "MachineClass",
                            .finalizer = "ours",
                            .periods = {}};

class WhyNotTest : public testing::Test {
 protected:
  void SetUp() override {
    dialects::ClassRecord of;
    of.meta.key = {"default", "c"};
    of.secrets = {{"default", "credentials"}};
    seen_.classes = {of};
    machine_.meta.key = {"default", "m"};
    machine_.class_name = "c";
    machine_.finalizers = std::vector<std::string>{"ours"};
    machine_.owner = dialects::Owner{"MachineSet", "s", Uid("set")};
    machine_.core.created = kNow - 10min;
    machine_.core.phase = core::Phase::kRunning;
    set_.meta.key = {"default", "s"};
    set_.meta.uid = Uid("set");
    set_.owner = dialects::Owner{"MachineDeployment", "d", Uid("deployment")};
    set_.core.replicas = 1;
    set_.core.seen = {.replicas = 1, .ready = 1};
    set_.core.revision = 1;
    deployment_.meta.key = {"default", "d"};
    deployment_.meta.uid = Uid("deployment");
    deployment_.core.replicas = 1;
    deployment_.seen = {.replicas = 1, .updated = 1, .ready = 1, .available = 1};
  }

  void SayLast(dialects::Operation operation, std::string text, std::string code) {
    machine_.operation = {.operation = operation,
                          .state = dialects::OperationState::kFailed,
                          .description = std::move(text),
                          .error_code = std::move(code),
                          .at = kNow - 2min};
  }

  std::string OfMachine() { return CausesText(WhyNot(seen_, kRules, machine_, kNow)); }
  std::string OfDeployment() {
    seen_.machines = {machine_};
    seen_.sets = {set_};
    return CausesText(WhyNot(seen_, kRules, deployment_, kNow));
  }

  Seen seen_;
  dialects::MachineRecord machine_;
  dialects::SetRecord set_;
  dialects::DeploymentRecord deployment_;
};

TEST_F(WhyNotTest, NothingIsSaidOfWhatIsWell) {
  EXPECT_EQ(OfMachine(), "");
  EXPECT_EQ(OfDeployment(), "");
}

TEST_F(WhyNotTest, ARefusalOfTheCloudIsFollowedFromTheDeploymentDown) {
  machine_.core.phase = core::Phase::kCreateFailing;
  SayLast(dialects::Operation::kCreate, "code = [ResourceExhausted] message = [no room]",
          "ResourceExhausted");
  set_.core.seen.ready = 0;
  deployment_.seen = {.replicas = 1, .updated = 1};
  EXPECT_EQ(OfDeployment(),
            "  - 1 of 1 updated, 0 available\n"
            "    - MachineSet s (current, revision 1) wants 1 machine, has 1 and 0 ready\n"
            "      - Machine m, 10m old\n"
            "        - the cloud does not make its instance\n"
            "          - ResourceExhausted: no room (2m ago)\n"
            "          - the cloud has no room or the quota is used up: raise it, or use another "
            "size or zone\n"
            "          - it is tried again in about 8m\n");
}

TEST_F(WhyNotTest, ADeletionTellsWhoHoldsIt) {
  machine_.core.phase = core::Phase::kDeleting;
  machine_.core.deleting_since = kNow - 5min;
  machine_.stage = core::DeletionStage::kDrain;
  machine_.own_limits = dialects::MachineLimits{.drain = 2h};
  machine_.finalizers = std::vector<std::string>{"ours", "example.com/backup"};
  SayLast(dialects::Operation::kDrain,
          "1 pod left; default/web: PodDisruptionBudget default/web allows no disruption now", "");
  EXPECT_EQ(
      OfMachine(),
      "  - it is being deleted since 5m, now draining its node; by force in 115m\n"
      "    - 1 pod left; default/web: PodDisruptionBudget default/web allows no disruption now "
      "(2m ago)\n"
      "    - finalizer example.com/backup of somebody else holds it: whoever set it has to "
      "remove it\n");
}

TEST_F(WhyNotTest, AMissingClassOrSecretIsNamed) {
  machine_.core.phase = core::Phase::kNew;
  seen_.missing_secrets = {{"default", "credentials"}};
  EXPECT_THAT(OfMachine(),
              HasSubstr("secret default/credentials of MachineClass c does not exist"));
  seen_.classes.clear();
  EXPECT_THAT(OfMachine(), HasSubstr("MachineClass c does not exist"));
  seen_.classes_known = false;
  EXPECT_THAT(OfMachine(), Not(HasSubstr("does not exist")));
}

TEST_F(WhyNotTest, SilenceOfTheControllerIsNoticed) {
  machine_.core.phase = core::Phase::kNew;
  EXPECT_THAT(OfMachine(), HasSubstr("is the controller running?"));
  machine_.core.created = kNow - 5s;
  EXPECT_THAT(OfMachine(), HasSubstr("it is new (5s)"));
  deployment_.meta.generation = 2;
  deployment_.observed_generation = 1;
  EXPECT_THAT(OfDeployment(), HasSubstr("generation 2, seen 1"));
}

TEST_F(WhyNotTest, AnUnhealthyMachineShowsTheConditionsOfItsNode) {
  machine_.core.phase = core::Phase::kUnhealthy;
  machine_.phase_since = kNow - 3min;
  machine_.node = "n";
  dialects::NodeRecord node;
  node.meta.key.name = "n";
  node.conditions = {{.type = "Ready",
                      .status = "Unknown",
                      .since = kNow - 4min,
                      .reason = "NodeStatusUnknown",
                      .message = "Kubelet stopped posting node status."},
                     {.type = "DiskPressure", .status = "Unknown"}};
  machine_.own_limits = dialects::MachineLimits{.health = 10min};
  seen_.nodes = {node};
  EXPECT_EQ(OfMachine(),
            "  - it is unhealthy for 3m; it is given up in 7m\n"
            "    - node n: Ready=Unknown (NodeStatusUnknown) for 4m: Kubelet stopped posting node "
            "status.\n");
}

TEST_F(WhyNotTest, PausedAndFrozenAreSaid) {
  deployment_.core.paused = true;
  deployment_.seen.updated = 0;
  EXPECT_THAT(OfDeployment(), HasSubstr("it is paused"));
  deployment_.frozen = true;
  EXPECT_THAT(OfDeployment(), HasSubstr("it is frozen"));
}

TEST(ShownConditions, AreFoundWhereverTheyAre) {
  const auto shown = ShownConditions(
      R"({"replicas":1,"machineSetCondition":[{"type":"ReplicaFailure","status":"True",
          "reason":"FailedCreate","message":"no","lastTransitionTime":"1970-01-01T00:00:05Z"}],
          "failedMachines":[{"name":"a"}]})");
  ASSERT_EQ(shown.size(), 1u);
  EXPECT_EQ(shown[0].reason, "FailedCreate");
  EXPECT_EQ(shown[0].since, WallTime(5s));
  EXPECT_TRUE(ShownConditions("").empty());
  EXPECT_TRUE(ShownConditions("[").empty());
}

TEST(ReadEvents, TheLatestComeLast) {
  const auto events = ReadEvents(
      R"({"items":[
        {"type":"Warning","reason":"B","message":"b","count":3,"lastTimestamp":"1970-01-01T00:00:09Z"},
        {"type":"Normal","reason":"A","message":"a","eventTime":"1970-01-01T00:00:01.000000Z"},
        {"type":"Normal","reason":"C","message":"c","series":{"count":7,
         "lastObservedTime":"1970-01-01T00:00:05.000000Z"}}]})",
      2);
  ASSERT_TRUE(events);
  ASSERT_EQ(events->size(), 2u);
  EXPECT_EQ((*events)[0].reason, "C");
  EXPECT_EQ((*events)[0].count, 7);
  EXPECT_EQ((*events)[1].reason, "B");
  EXPECT_FALSE(ReadEvents("[", 2));
}

TEST(RenderDescription, HasItsPartsInOrder) {
  Description description{
      .title = "Machine default/m",
      .facts = {{"Status", "Running"}, {"Node", ""}},
      .question = "Why it is not ready",
      .all_well = "It is running.",
      .causes = {},
      .conditions = {},
      .tree = {.kind = "Machine", .name = "m", .ready = "yes", .state = "Running"},
      .events = {}};
  EXPECT_EQ(RenderDescription(description, {}, kNow),
            "Machine default/m\n"
            "  Status:  Running\n"
            "\n"
            "It is running.\n"
            "\n"
            "Machines\n"
            "  NAME       READY  STATUS   AGE  MESSAGE\n"
            "  Machine/m  yes    Running\n"
            "\n"
            "No events lately\n");
  description.causes = {{"the cloud says no", {}}};
  EXPECT_THAT(RenderDescription(description, {}, kNow),
              HasSubstr("Why it is not ready\n  - the cloud says no\n"));
}

}  // namespace
}  // namespace millwright::cli
