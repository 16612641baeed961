#include "kube/connect/limited_http.h"

#include <gtest/gtest.h>

#include "base/task_group.h"
#include "base/virtual/world.h"

namespace millwright::kube {
namespace {

using namespace std::chrono_literals;

class Counter final : public net::Http {
 public:
  Task<Result<net::HttpResponse>> Send(net::HttpRequest) override {
    ++sent;
    co_return net::HttpResponse{200, {}, ""};
  }
  Task<Result<net::HttpStream>> Open(net::HttpRequest) override {
    ++sent;
    co_return net::HttpStream{200, {}, nullptr};
  }

  int sent = 0;
};

class LimitedHttpTest : public testing::Test {
 protected:
  Task<void> Ask() {
    const auto answer = co_await limited_.Send({});
    if (!answer) ++refused_;
  }
  Task<void> Follow() { (void)co_await limited_.Open({}); }

  VirtualWorld world_;
  VirtualProcess process_{world_};
  VirtualClock clock_{process_};
  Counter counter_;
  LimitedHttp limited_{counter_, clock_, {.per_second = 2, .burst = 3}};
  int refused_ = 0;
  TaskGroup tasks_{process_.executor()};
};

TEST_F(LimitedHttpTest, ABurstGoesAtOnceAndTheRestInTurn) {
  for (int i = 0; i < 6; ++i) tasks_.Spawn([this] { return Ask(); });
  tasks_.Spawn([this] { return Follow(); });
  world_.Settle();
  EXPECT_EQ(counter_.sent, 3);
  world_.Advance(501ms);
  EXPECT_EQ(counter_.sent, 4);
  world_.Advance(1500ms);
  EXPECT_EQ(counter_.sent, 7);
}

TEST_F(LimitedHttpTest, WhoIsCancelledMeanwhileSendsNothing) {
  for (int i = 0; i < 4; ++i) tasks_.Spawn([this] { return Ask(); });
  world_.Settle();
  tasks_.Cancel();
  world_.Settle();
  EXPECT_EQ(counter_.sent, 3);
  EXPECT_EQ(refused_, 1);
}

}  // namespace
}  // namespace millwright::kube
