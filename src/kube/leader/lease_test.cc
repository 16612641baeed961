#include "kube/leader/lease.h"

#include <gtest/gtest.h>

namespace millwright::kube {
namespace {

using namespace std::chrono_literals;

constexpr SteadyTime kNow = SteadyTime(1000s);

std::optional<Observation> HeldBy(std::string holder, Duration seen_ago) {
  return Observation{.record = {.holder = std::move(holder), .duration_seconds = 15},
                     .since = kNow - seen_ago};
}

struct Case {
  const char* name;
  std::optional<Observation> seen;
  LeaseStep want;
};

class PlanLeaseTest : public testing::TestWithParam<Case> {};

TEST_P(PlanLeaseTest, ChoosesTheStep) {
  EXPECT_EQ(PlanLease(GetParam().seen, "me", kNow), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(
    All, PlanLeaseTest,
    testing::Values(Case{"CreatesAMissingLease", std::nullopt, LeaseStep::kCreate},
                    Case{"RenewsItsOwn", HeldBy("me", 1s), LeaseStep::kRenew},
                    Case{"RenewsItsOwnEvenIfItLooksExpired", HeldBy("me", 60s), LeaseStep::kRenew},
                    Case{"TakesAReleasedOne", HeldBy("", 0s), LeaseStep::kTake},
                    Case{"WaitsForAnother", HeldBy("other", 14s), LeaseStep::kWait},
                    Case{"TakesOneUnchangedForItsDuration", HeldBy("other", 15s),
                         LeaseStep::kTake}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(NextRecordTest, RenewingKeepsAcquisitionAndTransitions) {
  const WallTime then = WallTime(100s);
  const Observation ours{
      .record = {.holder = "me", .duration_seconds = 15, .acquired = then, .transitions = 3}};
  const LeaseRecord next = NextRecord(LeaseStep::kRenew, ours, "me", {}, then + 5s);
  EXPECT_EQ(next.acquired, then);
  EXPECT_EQ(next.renewed, then + 5s);
  EXPECT_EQ(next.transitions, 3);
}

TEST(NextRecordTest, TakingCountsATransition) {
  const Observation theirs{.record = {.holder = "other", .transitions = 3}};
  const LeaseRecord next = NextRecord(LeaseStep::kTake, theirs, "me", {}, WallTime(7s));
  EXPECT_EQ(next.holder, "me");
  EXPECT_EQ(next.acquired, WallTime(7s));
  EXPECT_EQ(next.transitions, 4);
  EXPECT_EQ(next.duration_seconds, 15);
}

TEST(LeaseRecordTest, SurvivesTheRoundTripThroughJson) {
  const LeaseRecord record{.holder = "me_1",
                           .duration_seconds = 15,
                           .acquired = WallTime(1767225600s + 123456us),
                           .renewed = WallTime(1767225700s),
                           .transitions = 2};
  EXPECT_EQ(RecordOf(boost::json::value{{"spec", SpecOf(record)}}), record);
}

TEST(LeaseRecordTest, NonsenseReadsAsAFreeLease) {
  EXPECT_EQ(RecordOf(boost::json::value{{"spec", {{"holderIdentity", 7}}}}), LeaseRecord{});
  EXPECT_EQ(RecordOf(boost::json::value("text")), LeaseRecord{});
}

}  // namespace
}  // namespace millwright::kube
