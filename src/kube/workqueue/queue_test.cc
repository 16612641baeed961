#include "kube/workqueue/queue.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/task_group.h"
#include "base/virtual/world.h"

namespace millwright::kube {
namespace {

using namespace std::chrono_literals;
using Queue = WorkQueue<std::string>;

class QueueTest : public testing::Test {
 protected:
  // Takes keys for ever and notes each with the time it came; the test says when a key is done.
  static Task<void> Take(Queue& queue, VirtualWorld& world, std::vector<std::string>& trace) {
    while (true) {
      const std::optional<std::string> key = co_await queue.Pop();
      if (!key) co_return;
      const auto at =
          std::chrono::duration_cast<std::chrono::milliseconds>(world.Elapsed().time_since_epoch());
      trace.push_back(*key + "@" + std::to_string(at.count()));
    }
  }

  std::vector<std::string> Taken(Duration duration) {
    if (workers_.size() == 0) workers_.Spawn([this] { return Take(queue_, world_, trace_); });
    world_.Advance(duration);
    return std::exchange(trace_, {});
  }

  ~QueueTest() override {
    queue_.ShutDown();
    world_.Settle();
  }

  using Trace = std::vector<std::string>;

  VirtualWorld world_;
  VirtualProcess process_{world_};
  VirtualClock clock_{process_};
  Queue queue_{process_.executor(), clock_};
  Trace trace_;
  TaskGroup workers_{process_.executor()};
};

TEST_F(QueueTest, AKeyAddedTwiceIsHandedOutOnce) {
  queue_.Add("a");
  queue_.Add("a");
  queue_.Add("b");
  EXPECT_EQ(Taken(0s), (Trace{"a@0", "b@0"}));
}

TEST_F(QueueTest, AKeyIsNeverHandedOutWhileItIsWorkedOn) {
  queue_.Add("a");
  EXPECT_EQ(Taken(1ms), Trace{"a@0"});
  queue_.Add("a");
  EXPECT_EQ(Taken(1ms), Trace{});
  queue_.Done("a");
  EXPECT_EQ(Taken(1ms), Trace{"a@2"});
  queue_.Done("a");
  EXPECT_EQ(Taken(1ms), Trace{});
}

TEST_F(QueueTest, DelaysAreKeptExactly) {
  queue_.AddAfter("late", 250ms);
  queue_.AddAfter("early", 100ms);
  EXPECT_EQ(Taken(99ms), Trace{});
  EXPECT_EQ(Taken(1ms), Trace{"early@100"});
  EXPECT_EQ(Taken(149ms), Trace{});
  EXPECT_EQ(Taken(1ms), Trace{"late@250"});
}

TEST_F(QueueTest, AnEarlierDelayWinsAndALaterOneDoesNotPostpone) {
  queue_.AddAfter("a", 200ms);
  queue_.AddAfter("a", 50ms);
  queue_.AddAfter("a", 100ms);
  EXPECT_EQ(Taken(1s), Trace{"a@50"});
}

TEST_F(QueueTest, AKeyThatIsHandedOutIsNotDueAnyMore) {
  queue_.AddAfter("a", 50ms);
  queue_.Add("a");
  EXPECT_EQ(Taken(10ms), Trace{"a@0"});
  queue_.AddRateLimited("a", 300ms);
  queue_.Done("a");
  EXPECT_EQ(Taken(1s), Trace{"a@310"});
}

TEST_F(QueueTest, ATimeThatIsSetWhileAKeyIsWorkedOnHolds) {
  queue_.Add("a");
  EXPECT_EQ(Taken(10ms), Trace{"a@0"});
  queue_.AddAfter("a", 50ms);
  queue_.AddRateLimited("a", 300ms);
  queue_.Done("a");
  EXPECT_EQ(Taken(50ms), Trace{"a@60"});
}

TEST_F(QueueTest, WhatIsDueLaterKeepsItsPriority) {
  queue_.AddAfter("resync", 50ms, Priority::kBackground);
  queue_.AddAfter("user", 50ms);
  queue_.AddAfter("raised", 50ms, Priority::kBackground);
  queue_.AddAfter("raised", 60ms, Priority::kUrgent);
  world_.Advance(50ms);
  EXPECT_EQ(Taken(0s), (Trace{"raised@50", "user@50", "resync@50"}));
}

TEST_F(QueueTest, FailuresBackOffExponentiallyUntilForgotten) {
  Trace all;
  queue_.Add("a");
  for (int i = 0; i < 4; ++i) {
    for (const auto& taken : Taken(1s)) all.push_back(taken);
    queue_.AddRateLimited("a");
    queue_.Done("a");
  }
  EXPECT_EQ(all, (Trace{"a@0", "a@1005", "a@2010", "a@3020"}));
  EXPECT_EQ(queue_.Failures("a"), 4);
  EXPECT_EQ(Taken(1s), Trace{"a@4040"});
  queue_.Forget("a");
  queue_.AddRateLimited("a");
  queue_.Done("a");
  EXPECT_EQ(Taken(1s), Trace{"a@5005"});
}

TEST_F(QueueTest, AHintFromTheServerIsALowerBound) {
  queue_.AddRateLimited("a", 7s);
  EXPECT_EQ(Taken(10s), Trace{"a@7000"});
}

TEST_F(QueueTest, AllRetriesTogetherAreLimitedAfterTheBurst) {
  for (int i = 0; i < 102; ++i) queue_.AddRateLimited("k" + std::to_string(i));
  EXPECT_EQ(Taken(50ms).size(), 100u);
  EXPECT_EQ(Taken(1s), (Trace{"k100@100", "k101@200"}));
}

TEST_F(QueueTest, PriorityGoesFirstAndCanBeRaised) {
  queue_.Add("resync-1", Priority::kBackground);
  queue_.Add("resync-2", Priority::kBackground);
  queue_.Add("user", Priority::kNormal);
  queue_.Add("resync-2", Priority::kUrgent);
  EXPECT_EQ(Taken(0s), (Trace{"resync-2@0", "user@0", "resync-1@0"}));
}

TEST_F(QueueTest, AfterShutDownNothingIsHandedOut) {
  queue_.Add("a");
  queue_.ShutDown();
  EXPECT_EQ(Taken(1s), Trace{});
}

TEST_F(QueueTest, KnowsHowLongWorkHasBeenGoingOn) {
  queue_.Add("a");
  Taken(0s);
  world_.Advance(3s);
  EXPECT_EQ(queue_.Unfinished(), std::make_pair(Duration(3s), Duration(3s)));
}

struct DelayCase {
  const char* name;
  int failures;
  Duration want;
};

class ExponentialDelayTest : public testing::TestWithParam<DelayCase> {};

TEST_P(ExponentialDelayTest, DoublesUpToTheLimit) {
  EXPECT_EQ(ExponentialDelay(5ms, 1000s, GetParam().failures), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(All, ExponentialDelayTest,
                         testing::Values(DelayCase{"First", 0, 5ms}, DelayCase{"Second", 1, 10ms},
                                         DelayCase{"Eleventh", 10, 5120ms},
                                         DelayCase{"BelowTheLimit", 17, 655360ms},
                                         DelayCase{"AtTheLimit", 18, 1000s},
                                         DelayCase{"FarBeyond", 100000, 1000s}),
                         [](const auto& test) { return std::string(test.param.name); });

TEST_F(QueueTest, AKeyThatRestsIsHandedOutOnceAfterItsRest) {
  queue_.Add("a");
  EXPECT_EQ(Taken(0s), Trace{"a@0"});
  queue_.Add("a");
  queue_.Rest("a", clock_.Elapsed() + 100ms);
  queue_.Done("a");
  EXPECT_EQ(Taken(50ms), Trace{});
  queue_.Add("a");
  queue_.AddAfter("a", 10ms);
  queue_.Add("b");
  EXPECT_EQ(Taken(10s), (Trace{"b@50", "a@100"}));
}

TEST_F(QueueTest, WhatIsUrgentEndsARest) {
  queue_.Add("a", Priority::kUrgent);
  EXPECT_EQ(Taken(0s), Trace{"a@0"});
  queue_.AddAfter("a", 10ms);
  queue_.Rest("a", clock_.Elapsed() + 100ms);
  queue_.Done("a");
  EXPECT_EQ(Taken(50ms), Trace{});  // that it was urgent is over
  queue_.Add("a", Priority::kUrgent);
  EXPECT_EQ(Taken(10s), Trace{"a@50"});
  queue_.Add("a", Priority::kUrgent);
  queue_.Rest("a", clock_.Elapsed() + 100ms);
  queue_.Done("a");
  EXPECT_EQ(Taken(0s), Trace{"a@10050"});
}

TEST_F(QueueTest, AKeyThatRestedAndDidNotChangeIsNotHandedOut) {
  queue_.Add("a");
  EXPECT_EQ(Taken(0s), Trace{"a@0"});
  queue_.Rest("a", clock_.Elapsed() + 100ms);
  queue_.Done("a");
  EXPECT_EQ(Taken(10s), Trace{});
  queue_.Add("a");
  EXPECT_EQ(Taken(0s), Trace{"a@10000"});
}

}  // namespace
}  // namespace millwright::kube
