#include "tests/e2e/fixture.h"

#include <unistd.h>

#include <cstdlib>
#include <future>

#include "base/log_sink.h"

namespace millwright::e2e {

namespace {

const kube::GroupVersionResource kNamespaces{"", "v1", "namespaces"};
const kube::GroupVersionResource kConfigMaps{"", "v1", "configmaps"};

constexpr auto kHangs = std::chrono::minutes(5);

// Enough to keep both the server and its etcd busy.
constexpr int kAtOnce = 64;

Task<void> DoInTurn(const std::function<Task<void>(int)>& make, int& next, int count) {
  while (next < count) co_await make(next++);
}

Task<void> CreateOne(kube::Client& client, std::string name_space, std::string name,
                     std::string label) {
  std::string body = R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":")" + name +
                     R"(","labels":{"copy":")" + label + R"("}},"data":{"k":"v"}})";
  const auto created = co_await client.Create(kConfigMaps, {name_space, name}, std::move(body));
  EXPECT_TRUE(created) << created.error().message();
}

}  // namespace

void RealServerTest::SetUp() {
  const std::string missing = ControlPlane::Missing();
  if (!missing.empty()) GTEST_SKIP() << missing;
  sink_ = std::make_unique<DescriptorSink>(STDERR_FILENO, LogFormat::kText, false);
  const char* levels = std::getenv("MILLWRIGHT_TEST_LOG");
  log_ = std::make_unique<Log>(*sink_, clock_, *ParseLevels(levels != nullptr ? levels : "error"));
  static int number = 0;
  name_space_ = "t" + std::to_string(number++);
  auto admin = Connect("admin");
  const auto made = Await(admin->client().Create(
      kNamespaces, {"", name_space_},
      R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":")" + name_space_ + R"("}})"));
  ASSERT_TRUE(made) << made.error().message();
}

void RealServerTest::TearDown() { StopTasks(); }

void RealServerTest::StopTasks() {
  tasks_.Cancel();
  RunUntil([this] { return tasks_.size() == 0; });
}

void RealServerTest::RunUntil(const std::function<bool()>& condition) {
  const SteadyTime limit = clock_.Elapsed() + kHangs;
  while (!condition()) {
    ASSERT_LT(clock_.Elapsed(), limit) << "this does not end";
    loop_.restart();
    loop_.run_one_for(std::chrono::milliseconds(100));
  }
}

std::unique_ptr<kube::Connection> RealServerTest::Connect(const std::string& user) {
  return ConnectWith(plane().Kubeconfig(user));
}

std::unique_ptr<kube::Connection> RealServerTest::ConnectWith(const std::string& kubeconfig) {
  auto config =
      kube::LoadClientConfig({.kubeconfig = kubeconfig}, kube::SurroundingsOfThisProcess());
  EXPECT_TRUE(config) << config.error().message();
  auto connection = Await(kube::Connection::Open(loop_.get_executor(), clock_, *std::move(config),
                                                 {.field_manager = "e2e"}));
  EXPECT_TRUE(connection) << connection.error().message();
  return *std::move(connection);
}

void RealServerTest::ManyAtOnce(int count, const std::function<Task<void>(int)>& make) {
  int next = 0;
  TaskGroup group(loop_.get_executor());
  for (int i = 0; i < kAtOnce; ++i) {
    group.Spawn([&] { return DoInTurn(make, next, count); });
  }
  RunUntil([&] { return group.size() == 0; });
}

void RealServerTest::Meanwhile(const std::function<void()>& blocking) {
  const std::future<void> done = std::async(std::launch::async, blocking);
  RunUntil([&] { return done.wait_for(std::chrono::seconds(0)) == std::future_status::ready; });
}

void RealServerTest::CreateConfigMaps(kube::Client& client, int count, const std::string& label) {
  ManyAtOnce(count,
             [&](int i) { return CreateOne(client, name_space_, "c" + std::to_string(i), label); });
}

}  // namespace millwright::e2e
