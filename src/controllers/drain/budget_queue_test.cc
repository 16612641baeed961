#include "controllers/drain/budget_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace millwright::controllers {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Waiter = BudgetQueue::Waiter;

const kube::ObjectKey kWeb{"default", "web"};
const kube::ObjectKey kMail{"default", "mail"};

Waiter At(const char* machine, const char* pod) { return {Uid(machine), Uid(pod)}; }

TEST(BudgetQueueTest, WhoCameFirstGoesFirst) {
  BudgetQueue queue;
  queue.Join(kWeb, At("m1", "a"));
  queue.Join(kWeb, At("m2", "b"));
  queue.Join(kWeb, At("m3", "c"));
  EXPECT_THAT(queue.Take(kWeb, 1), ElementsAre(At("m1", "a")));
  EXPECT_THAT(queue.Take(kWeb, 9), ElementsAre(At("m2", "b"), At("m3", "c")));
  EXPECT_THAT(queue.Take(kWeb, 1), IsEmpty());
}

TEST(BudgetQueueTest, WhoIsRefusedAgainKeepsItsPlace) {
  BudgetQueue queue;
  queue.Join(kWeb, At("m1", "a"));
  queue.Join(kWeb, At("m2", "b"));
  queue.Join(kWeb, At("m1", "a"));
  EXPECT_THAT(queue.Take(kWeb, 9), ElementsAre(At("m1", "a"), At("m2", "b")));
}

TEST(BudgetQueueTest, BudgetsDoNotShareTheirLeaves) {
  BudgetQueue queue;
  queue.Join(kWeb, At("m1", "a"));
  queue.Join(kMail, At("m1", "b"));
  EXPECT_THAT(queue.Take(kMail, 9), ElementsAre(At("m1", "b")));
}

TEST(BudgetQueueTest, AMachineWhoseDrainIsOverWaitsForNothing) {
  BudgetQueue queue;
  queue.Join(kWeb, At("m1", "a"));
  queue.Join(kWeb, At("m2", "b"));
  queue.Join(kMail, At("m1", "c"));
  queue.Leave(Uid("m1"));
  EXPECT_THAT(queue.Take(kWeb, 9), ElementsAre(At("m2", "b")));
  EXPECT_THAT(queue.Take(kMail, 9), IsEmpty());
}

}  // namespace
}  // namespace millwright::controllers
