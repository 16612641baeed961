#include "controllers/shared/pace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "base/log_capture.h"
#include "base/task_group.h"
#include "base/virtual/world.h"
#include "kube/runtime/controller.h"

namespace millwright::controllers::contract {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

class PaceTest : public testing::Test {
 protected:
  PaceTest()
      : controller_(process_.executor(), clock_, log_.For("test"), {.name = "test"},
                    [this](kube::ObjectKey key) { return Reconcile(std::move(key)); }) {
    tasks_.Spawn([this] { return controller_.Run(); });
    world_.Settle();
  }
  ~PaceTest() override {
    tasks_.Cancel();
    world_.Settle();
  }

  Task<Result<kube::Requeue>> Reconcile(kube::ObjectKey key) {
    looks_.push_back(
        std::chrono::duration_cast<std::chrono::milliseconds>(world_.Elapsed().time_since_epoch())
            .count());
    controller_.queue().Rest(key, clock_.Elapsed() + RestAfter(objects_, kContractPace));
    if (fails_) co_return Fail(ErrorKind::kUnavailable, "it fails");
    co_return asks_ ? kube::Requeue::After(*std::exchange(asks_, std::nullopt))
                    : kube::Requeue::WhenChanged();
  }
  void Wake() {
    controller_.queue().Add(key_);
    world_.Settle();
  }

  VirtualWorld world_;
  VirtualProcess process_{world_};
  VirtualClock clock_{process_};
  CapturingSink lines_;
  Log log_{lines_, clock_};
  const kube::ObjectKey key_{"ns", "a"};
  std::size_t objects_ = 1000;
  bool fails_ = false;
  std::optional<Duration> asks_;
  std::vector<std::int64_t> looks_;  // when, in milliseconds
  kube::Controller controller_;
  TaskGroup tasks_{process_.executor()};
};

TEST_F(PaceTest, Capi_12_169_changes_in_a_row_are_one_look) {
  Wake();
  Wake();
  world_.Advance(300ms);
  Wake();
  world_.Advance(10s);
  EXPECT_THAT(looks_, ElementsAre(0, 1000));
}

TEST_F(PaceTest, Capi_12_169_what_a_look_asks_for_keeps_the_pace) {
  asks_ = 100ms;
  Wake();
  world_.Advance(10s);
  EXPECT_THAT(looks_, ElementsAre(0, 1000));
  asks_ = 5s;
  Wake();
  world_.Advance(10s);
  EXPECT_THAT(looks_, ElementsAre(0, 1000, 10000, 15000));
}

TEST_F(PaceTest, Capi_12_169_who_fails_is_tried_less_and_less) {
  fails_ = true;
  Wake();
  world_.Advance(100s);
  ASSERT_GT(looks_.size(), 4U);
  for (std::size_t i = 2; i < looks_.size(); ++i) {
    EXPECT_GE(looks_[i] - looks_[i - 1], looks_[i - 1] - looks_[i - 2]) << i;
  }
  world_.Advance(4h);
  EXPECT_EQ(looks_.back() - looks_[looks_.size() - 2], 1'000'000);
}

TEST_F(PaceTest, the_few_are_looked_at_at_once) {
  objects_ = 3;
  Wake();
  world_.Advance(50ms);
  Wake();
  world_.Advance(5ms);
  Wake();  // the answer to what that look wrote
  world_.Advance(1s);
  EXPECT_THAT(looks_, ElementsAre(0, 50, 70));
}

TEST(RestAfter, grows_with_the_number_of_objects) {
  EXPECT_EQ(RestAfter(0, kContractPace), 20ms);
  EXPECT_EQ(RestAfter(100, kContractPace), 100ms);
  EXPECT_EQ(RestAfter(10'000, kContractPace), 1s);
  EXPECT_EQ(RestAfter(199, kCloudPace), 0ms);
  EXPECT_EQ(RestAfter(1000, kCloudPace), 50ms);
}

}  // namespace
}  // namespace millwright::controllers::contract
