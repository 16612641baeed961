#include "tests/e2e/fixture.h"

#include <unistd.h>

#include <cstdlib>

#include "base/log_sink.h"

namespace millwright::e2e {

namespace {

const kube::GroupVersionResource kNamespaces{"", "v1", "namespaces"};
const kube::GroupVersionResource kConfigMaps{"", "v1", "configmaps"};

constexpr auto kHangs = std::chrono::minutes(5);

Task<void> CreateOne(kube::Client& client, std::string name_space, std::string name,
                     std::string label, int& left) {
  std::string body = R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":")" + name +
                     R"(","labels":{"copy":")" + label + R"("}},"data":{"k":"v"}})";
  const auto created = co_await client.Create(kConfigMaps, {name_space, name}, std::move(body));
  EXPECT_TRUE(created) << created.error().message();
  --left;
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

void RealServerTest::CreateConfigMaps(kube::Client& client, int count, const std::string& label) {
  int left = count;
  int started = 0;
  constexpr int kAtOnce = 64;
  while (left > 0) {
    while (started < count && started - (count - left) < kAtOnce) {
      const std::string name = "c" + std::to_string(started++);
      tasks_.Spawn([this, &client, name, label, &left] {
        return CreateOne(client, name_space_, name, label, left);
      });
    }
    const int before = left;
    RunUntil([&] { return left < before; });
  }
}

}  // namespace millwright::e2e
