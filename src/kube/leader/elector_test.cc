#include "kube/leader/elector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/task_group.h"
#include "base/virtual/world.h"
#include "net/testing/scripted_http.h"

namespace millwright::kube {
namespace {

using namespace std::chrono_literals;

std::string Lease(const std::string& holder, int version) {
  return R"({"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"l",)"
         R"("namespace":"ns","resourceVersion":")" +
         std::to_string(version) + R"("},"spec":{"holderIdentity":")" + holder +
         R"(","leaseDurationSeconds":15,"leaseTransitions":1}})";
}

const std::string kGet = "GET /apis/coordination.k8s.io/v1/namespaces/ns/leases/l";
const std::string kPut = "PUT /apis/coordination.k8s.io/v1/namespaces/ns/leases/l";
const std::string kPost = "POST /apis/coordination.k8s.io/v1/namespaces/ns/leases";
const std::string kMissing =
    R"({"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","code":404,)"
    R"("details":{"name":"l","kind":"leases"}})";
const std::string kConflict =
    R"({"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Conflict","code":409})";

// The server does what it is asked, and its answer is under way for a while.
class SlowHttp final : public net::Http {
 public:
  SlowHttp(net::Http& http, Clock& clock) : http_(http), clock_(clock) {}

  Task<Result<net::HttpResponse>> Send(net::HttpRequest request) override {
    auto answer = co_await http_.Send(std::move(request));
    if (delay > Duration::zero() && co_await SleepFor(clock_, delay) == Wake::kCancelled) {
      co_return Fail(ErrorKind::kCancelled, "cancelled");
    }
    co_return answer;
  }
  Task<Result<net::HttpStream>> Open(net::HttpRequest request) override {
    return http_.Open(std::move(request));
  }

  Duration delay{};

 private:
  net::Http& http_;
  Clock& clock_;
};

class ElectorTest : public testing::Test {
 protected:
  Task<void> Lead() {
    trace_.emplace_back("lead");
    co_await UntilCancelled();
    trace_.emplace_back("stopped");
  }

  Task<void> Run() {
    const LeaderOutcome outcome = co_await elector_.Run([this] { return Lead(); });
    trace_.emplace_back(outcome == LeaderOutcome::kLost ? "lost" : "done");
  }

  void Start() {
    tasks_.Spawn([this] { return Run(); });
    world_.Settle();
  }

  void StartElected() {
    http_.Answer(kGet, 404, kMissing);
    http_.Answer(kPost, 201, Lease("me", 1));
    Start();
    ASSERT_THAT(trace_, testing::ElementsAre("lead"));
  }

  ~ElectorTest() override {
    tasks_.Cancel();
    world_.Settle();
  }

  VirtualWorld world_;
  VirtualProcess process_{world_};
  VirtualClock clock_{process_};
  SeededRandom random_{1};
  net::ScriptedHttp http_{process_.executor()};
  SlowHttp slow_{http_, clock_};
  Client client_{slow_, "test"};
  Elector elector_{client_, clock_, random_, Logger(), {.lease = {"ns", "l"}, .identity = "me"}};
  std::vector<std::string> trace_;
  TaskGroup tasks_{process_.executor()};
};

TEST_F(ElectorTest, CreatesTheLeaseAndLeads) {
  StartElected();
  EXPECT_TRUE(elector_.is_leader());
}

TEST_F(ElectorTest, RenewsEveryRetryPeriodWithoutReading) {
  StartElected();
  for (int i = 0; i < 3; ++i) http_.Answer(kPut, 200, Lease("me", 2 + i));
  world_.Advance(7s);
  EXPECT_TRUE(http_.exhausted());
  EXPECT_THAT(http_.mismatches(), testing::IsEmpty());
}

TEST_F(ElectorTest, ReleasesTheLeaseWhenAskedToStop) {
  StartElected();
  http_.Answer(kPut, 200, Lease("", 2));
  tasks_.Cancel();
  world_.Settle();
  EXPECT_THAT(trace_, testing::ElementsAre("lead", "stopped", "done"));
  EXPECT_THAT(http_.requests().back().body, testing::HasSubstr(R"("holderIdentity":"")"));
  EXPECT_TRUE(http_.exhausted());
}

TEST_F(ElectorTest, ReleasesTheLeaseThoughARenewalWasUnderWay) {
  StartElected();
  http_.Answer(kPut, 200, Lease("me", 2));
  slow_.delay = 1s;
  world_.Advance(2s);
  slow_.delay = {};
  http_.Answer(kPut, 409, kConflict);
  http_.Answer(kGet, 200, Lease("me", 2));
  http_.Answer(kPut, 200, Lease("", 3));
  tasks_.Cancel();
  world_.Settle();
  EXPECT_THAT(trace_, testing::ElementsAre("lead", "stopped", "done"));
  EXPECT_THAT(http_.requests().back().body,
              testing::AllOf(testing::HasSubstr(R"("holderIdentity":"")"),
                             testing::HasSubstr(R"("resourceVersion":"2")")));
  EXPECT_TRUE(http_.exhausted());
}

TEST_F(ElectorTest, LeavesALeaseThatAnotherHasTakenMeanwhile) {
  StartElected();
  http_.Answer(kPut, 409, kConflict);
  http_.Answer(kGet, 200, Lease("other", 5));
  tasks_.Cancel();
  world_.Settle();
  EXPECT_TRUE(http_.exhausted());
  EXPECT_THAT(http_.mismatches(), testing::IsEmpty());
}

TEST_F(ElectorTest, TheLeaseIsOursFromWhenItWasAskedFor) {
  http_.Answer(kGet, 404, kMissing);
  http_.Answer(kPost, 201, Lease("me", 1));
  slow_.delay = 4s;
  Start();
  world_.Advance(8s);
  EXPECT_THAT(trace_, testing::ElementsAre("lead"));
  world_.Advance(2s);
  EXPECT_THAT(trace_, testing::ElementsAre("lead", "stopped", "lost"));
}

TEST_F(ElectorTest, StopsWorkWhenItCannotRenewInTime) {
  StartElected();
  for (int i = 0; i < 20; ++i) {
    http_.Answer("", Error(ErrorKind::kUnavailable, "connection refused"));
  }
  world_.Advance(9s);
  EXPECT_THAT(trace_, testing::ElementsAre("lead"));
  world_.Advance(2s);
  EXPECT_THAT(trace_, testing::ElementsAre("lead", "stopped", "lost"));
}

TEST_F(ElectorTest, StopsAtOnceWhenAnotherHasTaken) {
  StartElected();
  http_.Answer(kPut, 409, kConflict);
  http_.Answer(kGet, 200, Lease("other", 5));
  world_.Advance(2s);
  EXPECT_THAT(trace_, testing::ElementsAre("lead", "stopped", "lost"));
}

TEST_F(ElectorTest, WaitsForTheHolderAndTakesOverWhenItFallsSilent) {
  for (int i = 0; i < 40; ++i) http_.Answer(kGet, 200, Lease("other", 5));
  Start();
  world_.Advance(14s);
  EXPECT_TRUE(trace_.empty());
  const auto before = http_.log().size();
  world_.RunUntil([&] { return !http_.mismatches().empty(); }, 10s);
  // The first look after fifteen seconds of silence is followed by a write.
  EXPECT_GT(http_.log().size(), before);
  ASSERT_FALSE(http_.mismatches().empty());
  EXPECT_THAT(http_.mismatches().front(), testing::HasSubstr(kPut));
}

TEST_F(ElectorTest, TellsWhoLeads) {
  std::vector<std::string> leaders;
  elector_.OnNewLeader([&](const std::string& identity) { leaders.push_back(identity); });
  http_.Answer(kGet, 200, Lease("other", 5));
  Start();
  EXPECT_THAT(leaders, testing::ElementsAre("other"));
}

}  // namespace
}  // namespace millwright::kube
