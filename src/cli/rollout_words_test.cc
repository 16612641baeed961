#include "cli/rollout_words.h"

#include <gtest/gtest.h>
#include <boost/json/serialize.hpp>

#include "cli/rollout_state.h"

namespace millwright::cli {
namespace {

using Outcome = RolloutLook::Outcome;

dialects::DeploymentRecord Deployment(int wished, core::DeploymentCounts seen) {
  dialects::DeploymentRecord deployment;
  deployment.meta.key.name = "w";
  deployment.core.replicas = wished;
  deployment.seen = seen;
  deployment.revision = 2;
  return deployment;
}

TEST(LookAtRollout, SaysWhatKubectlSays) {
  struct Case {
    core::DeploymentCounts seen;
    Outcome outcome;
    std::string_view text;
  };
  const Case cases[] = {
      {{.replicas = 3, .updated = 1, .available = 3},
       Outcome::kGoesOn,
       "Waiting for md \"w\" rollout to finish: 1 out of 3 new replicas have been updated..."},
      {{.replicas = 4, .updated = 3, .available = 3},
       Outcome::kGoesOn,
       "Waiting for md \"w\" rollout to finish: 1 old replicas are pending termination..."},
      {{.replicas = 3, .updated = 3, .available = 2},
       Outcome::kGoesOn,
       "Waiting for md \"w\" rollout to finish: 2 of 3 updated replicas are available..."},
      {{.replicas = 3, .updated = 3, .available = 3},
       Outcome::kDone,
       "md \"w\" successfully rolled out"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(LookAtRollout(Deployment(3, c.seen), "md", 0),
              (RolloutLook{c.outcome, std::string(c.text)}));
  }
}

TEST(LookAtRollout, FailsAtTheDeadlineAndForAnotherRevision) {
  auto deployment = Deployment(3, {.replicas = 3, .updated = 1});
  deployment.progress = core::Progress{.status = core::Progress::Status::kFalse,
                                       .reason = core::ProgressReason::kDeadlineExceeded};
  EXPECT_EQ(LookAtRollout(deployment, "md", 0).text, "md \"w\" exceeded its progress deadline");
  EXPECT_EQ(LookAtRollout(deployment, "md", 0).outcome, Outcome::kFailed);
  EXPECT_EQ(LookAtRollout(deployment, "md", 1).text,
            "desired revision (1) is different from the running revision (2)");
  // Until the controller has looked, nothing that is shown is about the present wish.
  deployment.meta.generation = 2;
  EXPECT_EQ(LookAtRollout(deployment, "md", 0).outcome, Outcome::kGoesOn);
}

class UndoTest : public testing::Test {
 protected:
  void SetUp() override {
    std::vector<Revision> mixed;
    for (int i : {2, 3, 0, 1}) mixed.push_back({.number = i, .current = i == 3});
    mixed[0].cause = CauseIn({{"kubernetes.io/change-cause", "new image"}});
    revisions_ = InOrder(std::move(mixed));
    deployment_ = Deployment(3, {});
  }

  std::vector<Revision> revisions_;
  dialects::DeploymentRecord deployment_;
};

TEST_F(UndoTest, HistoryHasCauses) {
  EXPECT_EQ(HistoryText(revisions_),
            "REVISION  CHANGE-CAUSE\n"
            "1         <none>\n"
            "2         new image\n"
            "3         <none>\n");
}

TEST_F(UndoTest, GoesBackToTheOneBeforeOrTheOneNamed) {
  EXPECT_EQ(PlanUndo(deployment_, revisions_, 0)->revision, 2);
  EXPECT_EQ(PlanUndo(deployment_, revisions_, 1)->revision, 1);
  EXPECT_TRUE(PlanUndo(deployment_, revisions_, 3)->needless);
  EXPECT_EQ(PlanUndo(deployment_, revisions_, 7).error().message(),
            "unable to find specified revision 7 in history");
  EXPECT_FALSE(PlanUndo(deployment_, std::span(revisions_).first(1), 0));
  deployment_.core.paused = true;
  EXPECT_FALSE(PlanUndo(deployment_, revisions_, 1));
}

TEST(RolloutPatches, ChangeOneFieldEach) {
  EXPECT_EQ(boost::json::serialize(RollbackPatch(2)), R"({"spec":{"rollbackTo":{"revision":2}}})");
  EXPECT_EQ(boost::json::serialize(PausePatch(true)), R"({"spec":{"paused":true}})");
  EXPECT_EQ(boost::json::serialize(RestartedPatch(WallTime())),
            R"({"spec":{"template":{"metadata":{"annotations":)"
            R"({"kubectl.kubernetes.io/restartedAt":"1970-01-01T00:00:00Z"}}}}})");
}

TEST(RolloutState, SaysWhereADeploymentStands) {
  struct Case {
    core::DeploymentCounts seen;
    std::string_view word, sentence;
  };
  const Case cases[] = {
      {{.replicas = 3, .updated = 3, .ready = 3, .available = 3}, "Ready", ""},
      {{.replicas = 4, .updated = 2, .ready = 3, .available = 3},
       "RollingOut",
       "2 of 3 updated, 3 available, 2 old"},
      {{.replicas = 2, .updated = 2, .ready = 2, .available = 2},
       "Scaling",
       "2 of 3 updated, 2 available"},
      {{.replicas = 3, .updated = 3, .ready = 2, .available = 2},
       "NotReady",
       "3 of 3 updated, 2 available"},
      {{.replicas = 4, .updated = 4, .ready = 4, .available = 4},
       "Scaling",
       "1 too many, 4 available"},
  };
  for (const Case& c : cases) {
    const RolloutState state = StateOf(Deployment(3, c.seen));
    EXPECT_EQ(state.word, c.word);
    EXPECT_EQ(state.sentence, c.sentence);
  }
  auto changed = Deployment(3, {.replicas = 3, .updated = 3, .ready = 3, .available = 3});
  changed.meta.generation = 2;
  EXPECT_EQ(StateOf(changed).word, "Changed");
}

}  // namespace
}  // namespace millwright::cli
