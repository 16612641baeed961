#include "kube/runtime/manager.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include <map>

#include "base/virtual/world.h"
#include "net/testing/scripted_http.h"

namespace millwright::kube {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

class ManagerTest : public testing::Test {
 protected:
  Task<void> Part(std::string name) {
    trace_.push_back("+" + name);
    co_await UntilCancelled();
    trace_.push_back("-" + name);
  }

  Task<void> Run(Manager& manager) { outcome_ = co_await manager.Run(); }

  void Start(Manager& manager) {
    manager.Add("cache", [this] { return Part("cache"); });
    manager.AddForLeader("controller", [this] { return Part("controller"); });
    tasks_.Spawn([this, &manager] { return Run(manager); });
    world_.Settle();
  }

  Manager Make(ManagerOptions options) {
    return Manager(process_.executor(), clock_, random_, client_, metrics_, Logger(),
                   std::move(options));
  }

  VirtualWorld world_;
  VirtualProcess process_{world_};
  VirtualClock clock_{process_};
  SeededRandom random_{1};
  net::ScriptedHttp http_{process_.executor()};
  Client client_{http_, "test"};
  Metrics metrics_;
  std::optional<ManagerOutcome> outcome_;
  std::vector<std::string> trace_;
  TaskGroup tasks_{process_.executor()};
};

TEST_F(ManagerTest, WithoutElectionEverythingRunsAndStopsInOrder) {
  Manager manager = Make({});
  Start(manager);
  EXPECT_THAT(trace_, ElementsAre("+cache", "+controller"));
  tasks_.Cancel();
  world_.Settle();
  EXPECT_THAT(trace_, ElementsAre("+cache", "+controller", "-controller", "-cache"));
  EXPECT_EQ(outcome_, ManagerOutcome::kStopped);
}

TEST_F(ManagerTest, WhoDoesNotLeadKeepsItsCachesWarmAndDoesNoWork) {
  http_.Answer("GET", 200,
               R"({"metadata":{"resourceVersion":"1"},"spec":{"holderIdentity":"other",)"
               R"("leaseDurationSeconds":15}})");
  Manager manager = Make({.leases = {ElectorOptions{{"ns", "l"}, "me", {}}}});
  Start(manager);
  EXPECT_THAT(trace_, ElementsAre("+cache"));
  tasks_.Cancel();
  world_.Settle();
  EXPECT_EQ(outcome_, ManagerOutcome::kStopped);
}

// Two leases, "a" and "b", and nothing else.
class TwoLeases final : public net::Http {
 public:
  Task<Result<net::HttpResponse>> Send(net::HttpRequest request) override {
    const std::string path = request.target.substr(0, request.target.find('?'));
    std::string& holder = holders[path.substr(path.size() - 1)];
    if (request.method == "PUT") {
      if (!holder.empty() && holder != "me") co_return net::HttpResponse{409, {}, "{}"};
      holder =
          std::string(boost::json::parse(request.body).at("spec").at("holderIdentity").as_string());
    }
    co_return net::HttpResponse{
        200,
        {},
        R"({"metadata":{"name":"l","resourceVersion":"1"},"spec":{"leaseDurationSeconds":15,)"
        R"("holderIdentity":")" +
            holder + R"("}})"};
  }
  Task<Result<net::HttpStream>> Open(net::HttpRequest) override {
    co_return Fail(ErrorKind::kInternal, "nobody watches leases");
  }

  std::map<std::string, std::string> holders;
};

TEST_F(ManagerTest, WithTwoLeasesNothingRunsUnlessBothAreHeld) {
  TwoLeases leases;
  leases.holders["b"] = "other";
  Client client(leases, "test");
  Manager manager(
      process_.executor(), clock_, random_, client, metrics_, Logger(),
      {.leases = {ElectorOptions{{"ns", "a"}, "me", {}}, ElectorOptions{{"ns", "b"}, "me", {}}}});
  Start(manager);
  EXPECT_THAT(trace_, ElementsAre("+cache"));
  EXPECT_EQ(leases.holders["a"], "me");
  leases.holders["b"] = "";
  world_.Advance(5s);
  EXPECT_THAT(trace_, ElementsAre("+cache", "+controller"));
  leases.holders["b"] = "other";
  world_.Advance(5s);
  EXPECT_THAT(trace_, ElementsAre("+cache", "+controller", "-controller", "-cache"));
  EXPECT_EQ(outcome_, ManagerOutcome::kLostLease);
  EXPECT_EQ(leases.holders["a"], "") << "the other one is released";
}

struct PageCase {
  const char* name;
  Checks checks;
  bool verbose;
  int status;
  std::string body;
};

class CheckPageTest : public testing::TestWithParam<PageCase> {};

TEST_P(CheckPageTest, SaysHowItIs) {
  const net::HttpResponse page = CheckPage("readyz", GetParam().checks, GetParam().verbose);
  EXPECT_EQ(page.status, GetParam().status);
  EXPECT_THAT(page.body, testing::StartsWith(GetParam().body));
}

std::string Well() { return ""; }
std::string Ill() { return "cache not synced"; }

INSTANTIATE_TEST_SUITE_P(
    All, CheckPageTest,
    testing::Values(PageCase{"NothingToCheckIsFine", {}, false, 200, "ok"},
                    PageCase{"AllWell", {{"a", Well}}, false, 200, "ok"},
                    PageCase{
                        "AllWellInFull", {{"a", Well}}, true, 200, "[+]a ok\nreadyz check passed"},
                    PageCase{"OneIll",
                             {{"a", Well}, {"b", Ill}},
                             false,
                             500,
                             "[+]a ok\n[-]b failed: cache not synced\nreadyz check failed"}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace millwright::kube
