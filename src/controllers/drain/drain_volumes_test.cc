// Pods with volumes: one after the other, each waiting until its volumes are elsewhere.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "controllers/drain/drain_fixture.h"

namespace millwright::controllers {
namespace {

using namespace std::chrono_literals;
using core::DrainState;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

using DrainVolumesTest = DrainFixture;

TEST_F(DrainVolumesTest, Gardener_13_070_PodsWithVolumesGoOneAfterTheOther) {
  AddClaim("a");
  AddClaim("b");
  AddPod("db-0", {.claims = {"a"}});
  AddPod("db-1", {.claims = {"b"}});
  Drain();
  EXPECT_THAT(Evicted(), ElementsAre("db-0"));
  EXPECT_FALSE(Exists(std::string(kPods) + "/db-0"));
  EXPECT_EQ(Last().message, "1 pod left; default/db-0: its volumes are leaving the node");
  Detach("a");
  EXPECT_EQ(Last().message,
            "1 pod left; default/db-0: its volumes are not attached to another node yet");
  EXPECT_THAT(Evicted(), ElementsAre("db-0"));
  AttachElsewhere("a");
  EXPECT_THAT(Evicted(), ElementsAre("db-0", "db-1"));
  Detach("b");
  EXPECT_EQ(state(), DrainState::kRunning);
  AttachElsewhere("b");
  EXPECT_EQ(state(), DrainState::kDone);
  EXPECT_EQ(world_.Now(), clock_.Now());
}

TEST_F(DrainVolumesTest, Gardener_13_070_APodWithTwoVolumesWaitsForBoth) {
  AddClaim("a");
  AddClaim("b");
  AddPod("db", {.claims = {"a", "b"}});
  Drain();
  Detach("a");
  EXPECT_THAT(Last().message, HasSubstr("are leaving"));
  Detach("b");
  AttachElsewhere("a");
  EXPECT_EQ(state(), DrainState::kRunning);
  AttachElsewhere("b");
  EXPECT_EQ(state(), DrainState::kDone);
}

TEST_F(DrainVolumesTest, AVolumeThatDoesNotComeUpElsewhereIsNotAwaitedForEver) {
  AddClaim("a");
  AddPod("db", {.claims = {"a"}});
  Drain();
  Detach("a");
  world_.Advance(89s);
  EXPECT_EQ(state(), DrainState::kRunning);
  world_.Advance(1s);
  EXPECT_EQ(state(), DrainState::kDone);
}

TEST_F(DrainVolumesTest, AVolumeThatStaysIsSaidAndTheNextPodGoes) {
  AddClaim("a");
  AddClaim("b");
  AddPod("db-0", {.claims = {"a"}, .grace = 30});
  AddPod("db-1", {.claims = {"b"}, .grace = 30});
  Drain();
  world_.Advance(149s);
  EXPECT_THAT(Evicted(), SizeIs(1));
  world_.Advance(1s);
  EXPECT_THAT(Evicted(), ElementsAre("db-0", "db-1"));
  EXPECT_THAT(Last().message,
              HasSubstr("default/db-0: its volumes have not left the node in time"));
}

TEST_F(DrainVolumesTest, Gardener_13_071_AVolumeThatPodsShareIsNotAwaited) {
  AddClaim("shared");
  AddPod("a", {.claims = {"shared"}});
  AddPod("b", {.claims = {"shared"}});
  Drain();
  EXPECT_THAT(Evicted(), ElementsAre("a", "b"));
  EXPECT_EQ(state(), DrainState::kDone);
}

TEST_F(DrainVolumesTest, Gardener_13_071_OfSharedAndOwnVolumesOnlyTheOwnOnesAreAwaited) {
  AddClaim("shared");
  AddClaim("own");
  AddPod("a", {.claims = {"shared", "own"}});
  AddPod("b", {.claims = {"shared"}});
  Drain();
  EXPECT_THAT(Evicted(), ElementsAre("a"));
  Detach("own");
  AttachElsewhere("own");
  EXPECT_THAT(Evicted(), ElementsAre("a", "b"));
  EXPECT_EQ(state(), DrainState::kDone);
}

TEST_F(DrainVolumesTest, Gardener_13_072_BothGroupsGoAtTheSameTime) {
  AddClaim("a");
  AddClaim("b");
  AddPod("db-0", {.claims = {"a"}});
  AddPod("db-1", {.claims = {"b"}});
  for (int i = 0; i < 10; ++i) AddPod("p" + std::to_string(i));
  Drain();
  EXPECT_THAT(Evicted(), SizeIs(11));
  Detach("a");
  AttachElsewhere("a");
  Detach("b");
  AttachElsewhere("b");
  EXPECT_EQ(state(), DrainState::kDone);
  EXPECT_THAT(Evicted(), SizeIs(12));
}

TEST_F(DrainVolumesTest, WhatIsNotAttachedIsNotAwaited) {
  AddClaim("network-share");
  Detach("network-share");
  AddPod("a", {.claims = {"network-share"}});
  AddPod("b", {.claims = {"no-such-claim"}});
  Drain();
  EXPECT_EQ(state(), DrainState::kDone);
}

TEST_F(DrainVolumesTest, AnAttachmentThatWasThereBeforeCounts) {
  AddClaim("a");
  AttachElsewhere("a");
  AddPod("db", {.claims = {"a"}});
  Drain();
  EXPECT_EQ(state(), DrainState::kRunning);
  Detach("a");
  EXPECT_EQ(state(), DrainState::kDone);
}

// Says which volumes are its own: those whose spec contains a word.
class OpinionatedCloud final : public providers::Cloud {
 public:
  explicit OpinionatedCloud(std::string word) : word_(std::move(word)) {}

  providers::Capabilities capabilities() const override { return {.volume_ids = true}; }
  Result<void> Validate(const providers::InstanceClass&) const override { return {}; }
  Task<Result<providers::Instance>> Create(std::shared_ptr<const providers::InstanceClass>,
                                           providers::CreateRequest) override {
    co_return providers::FailCloud(core::CloudCode::kUnimplemented, "");
  }
  Task<Result<providers::Instance>> Get(std::shared_ptr<const providers::InstanceClass>,
                                        providers::MachineIdentity) override {
    co_return providers::FailCloud(core::CloudCode::kUnimplemented, "");
  }
  Task<Result<void>> Remove(std::shared_ptr<const providers::InstanceClass>,
                            providers::MachineIdentity) override {
    co_return providers::FailCloud(core::CloudCode::kUnimplemented, "");
  }
  Task<Result<std::vector<providers::Instance>>> List(
      std::shared_ptr<const providers::InstanceClass>) override {
    co_return providers::FailCloud(core::CloudCode::kUnimplemented, "");
  }
  Task<Result<std::vector<std::string>>> VolumeIds(std::shared_ptr<const providers::InstanceClass>,
                                                   std::vector<std::string> volumes) override {
    std::vector<std::string> ids;
    for (const std::string& spec : volumes) ids.push_back(spec.contains(word_) ? word_ : "");
    co_return ids;
  }

 private:
  const std::string word_;
};

TEST_F(DrainVolumesTest, TheCloudSaysWhichVolumesAreAwaited) {
  OpinionatedCloud cloud("handle-own");
  cloud_ = &cloud;
  AddClaim("foreign");
  AddClaim("own");
  AddPod("a", {.claims = {"foreign"}});
  AddPod("b", {.claims = {"own"}});
  Drain();
  EXPECT_THAT(Evicted(), ElementsAre("a", "b")) << "nobody waits for what is none of ours";
  EXPECT_THAT(Last().message, HasSubstr("default/b: its volumes are leaving"));
  Detach("own");
  AttachElsewhere("own");
  EXPECT_EQ(state(), DrainState::kDone);
}

TEST_F(DrainVolumesTest, AttachmentsAreWatchedOnceWhileAnyDrainNeedsThem) {
  AddClaim("a");
  AddClaim("b");
  AddPod("plain");
  AddPod("db-0", {.claims = {"a"}});
  AddPod("db-1", {.node = "second", .claims = {"b"}});
  EXPECT_TRUE(*RunTask(process_, drainer_->Look(Order(Rules()))));
  DrainOrder second = Order(Rules());
  second.node = "second";
  second.machine_uid = Uid("m2");
  EXPECT_TRUE(*RunTask(process_, drainer_->Look(second)));
  EXPECT_EQ(Watches("volumeattachments"), 1);
  EXPECT_EQ(Watches("pods"), 2);
  drainer_->Forget(Uid("m"));
  drainer_->Forget(Uid("m2"));
  world_.Advance(30min);
  EXPECT_EQ(Watches("volumeattachments"), 1) << "nobody resumes what nobody needs";
  EXPECT_EQ(Watches("pods"), 2);
}

TEST_F(DrainVolumesTest, WithoutTheNodeNothingIsAwaited) {
  AddClaim("a");
  AddPod("db", {.claims = {"a"}});
  Drain();
  EXPECT_EQ(state(), DrainState::kRunning);
  Must("DELETE", std::string(kNodes) + "/node");
  world_.Settle();
  EXPECT_EQ(state(), DrainState::kDone);
}

}  // namespace
}  // namespace millwright::controllers
