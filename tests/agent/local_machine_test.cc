// A local machine as a user has it: a real process of the real program, over a real connection.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/json.hpp>

#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "agent/state_folder.h"
#include "apiserver/auth/pki/pki.h"
#include "apiserver/server/embedded.h"
#include "apiserver/server/in_process.h"
#include "apiserver/store/memory_disk.h"
#include "base/system_clock.h"
#include "kube/api/json_text.h"
#include "kube/client/client.h"
#include "net/server.h"
#include "providers/local/local_cloud.h"

namespace millwright {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;
namespace json = boost::json;

class LocalMachineTest : public testing::Test {
 protected:
  LocalMachineTest() {
    std::string path = fs::temp_directory_path() / "millwright-machine-XXXXXX";
    if (mkdtemp(path.data()) == nullptr) throw std::runtime_error("no temporary directory");
    directory_ = path;
  }
  ~LocalMachineTest() override { fs::remove_all(directory_); }

  // Runs the test's body with a server beside it.
  void Run() {
    boost::asio::co_spawn(io_, Main(), [](const std::exception_ptr& error) {
      if (error) std::rethrow_exception(error);
    });
    io_.run();
  }

  Task<void> Main() {
    apiserver::MemoryDisk disk("test");
    pki_ = apiserver::MakePki(apiserver::ServerNames(apiserver::HostName(), "127.0.0.1"),
                              clock_.Now(), random_);
    auto api = apiserver::EmbeddedServer::Open({.executor = io_.get_executor(),
                                                .clock = clock_,
                                                .random = random_,
                                                .disk = disk,
                                                .pki = pki_})
                   .value();
    (co_await api->Start()).value();
    auto server = net::Server::Listen(io_.get_executor(), clock_,
                                      {.address = "127.0.0.1",
                                       .port = 0,
                                       .tls = net::TlsPem{.certificate = pki_.server.certificate,
                                                          .key = pki_.server.key,
                                                          .client_ca = pki_.ca.certificate}},
                                      api->handler())
                      .value();
    apiserver::InProcessHttp http(io_.get_executor(), api->handler(),
                                  apiserver::TrustedPeer("test"));
    kube::Client client(http, "test");
    client_ = &client;
    port_ = server->port();
    TaskGroup serving(io_.get_executor());
    serving.Spawn([&] { return server->Run(); });
    co_await JoinsAndLeaves();
    serving.Cancel();
    co_await serving.Join();
    co_await http.Close();
    co_await api->Close();
  }

  Task<void> AddToken() {
    const json::value secret{{"metadata", {{"name", "bootstrap-token-abcdef"}}},
                             {"type", "bootstrap.kubernetes.io/token"},
                             {"stringData",
                              {{"token-id", "abcdef"},
                               {"token-secret", "0123456789abcdef"},
                               {"usage-bootstrap-authentication", "true"}}}};
    (co_await client_->Create({"", "v1", "secrets"}, {"kube-system", "bootstrap-token-abcdef"},
                              json::serialize(secret)))
        .value();
  }

  std::string UserData() {
    std::ofstream(directory_ / "ca.pem") << pki_.ca.certificate;
    return "{server: 'https://127.0.0.1:" + std::to_string(port_) +
           "', token: abcdef.0123456789abcdef, caFile: " + (directory_ / "ca.pem").string() + "}";
  }

  Task<bool> IsReady(std::string node) {
    const auto found = co_await client_->Find({"", "v1", "nodes"}, {"", node});
    if (!found || !*found) co_return false;
    const json::value tree = (*found)->Tree().value();
    const json::array* conditions = kube::GetArray(tree, "status.conditions");
    if (conditions == nullptr) co_return false;
    for (const json::value& condition : *conditions) {
      if (kube::GetString(condition, "type") == "Ready") {
        co_return kube::GetString(condition, "status") == "True";
      }
    }
    co_return false;
  }

  Task<void> JoinsAndLeaves() {
    co_await AddToken();
    providers::LocalCloud cloud(
        {.directory = directory_ / "machines", .program = MILLWRIGHT_PROGRAM}, clock_, Logger());
    const auto of_class = std::make_shared<const providers::InstanceClass>(
        providers::InstanceClass{.name = "c", .provider_spec = R"({"cpu":"7"})"});
    const providers::MachineIdentity machine{
        .uid = Uid("u-1"), .name = "worker-1", .namespace_ = "default", .instance = ""};
    const auto made = co_await cloud.Create(
        of_class, {.machine = machine, .user_data = SecretText(UserData()), .remembered = ""});
    EXPECT_TRUE(made) << made.error().message();
    const SteadyTime began = clock_.Elapsed();
    bool ready = false;
    while (!ready && clock_.Elapsed() < began + 30s) {
      co_await SleepFor(clock_, 5ms);
      ready = co_await IsReady("worker-1");
    }
    const providers::MachineFolder folder(directory_ / "machines" / "u-1");
    EXPECT_TRUE(ready) << agent::ReadWholeFile(folder.log()).value_or("");
    RecordProperty("join_ms", static_cast<int>((clock_.Elapsed() - began) / 1ms));

    const auto process = folder.ReadProcess().value();
    const auto removing = clock_.Elapsed();
    const auto removed = co_await cloud.Remove(of_class, machine);
    EXPECT_TRUE(removed) << removed.error().message();
    EXPECT_FALSE(providers::IsAlive(process));
    // It was asked and went: nobody had to kill it.
    EXPECT_LT(clock_.Elapsed() - removing, 10s);
  }

  boost::asio::io_context io_{1};
  SystemClock clock_{io_.get_executor()};
  SystemRandom random_;
  fs::path directory_;
  apiserver::Pki pki_;
  kube::Client* client_ = nullptr;
  std::uint16_t port_ = 0;
};

TEST_F(LocalMachineTest, JoinsItsClusterAndLeavesWhenAsked) { Run(); }

}  // namespace
}  // namespace millwright
