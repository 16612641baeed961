// The node agent and the embedded API server, both real, in one process and in virtual time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/json.hpp>

#include <stdlib.h>

#include <deque>
#include <filesystem>

#include "agent/node_agent.h"
#include "apiserver/auth/pki/certificate.h"
#include "apiserver/server/embedded.h"
#include "apiserver/server/in_process.h"
#include "apiserver/store/memory_disk.h"
#include "base/log_capture.h"
#include "base/virtual/world.h"
#include "kube/api/json_text.h"
#include "net/server_identity.h"

namespace millwright::agent {
namespace {

using namespace std::chrono_literals;
namespace json = boost::json;
namespace fs = std::filesystem;

constexpr const char* kToken = "abcdef.0123456789abcdef";
constexpr const char* kNode = "/api/v1/nodes/n1";
constexpr const char* kLease = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/n1";
constexpr const char* kRequests = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
constexpr const char* kPods = "/api/v1/namespaces/default/pods";

// As somebody with a token, or with none.
class TokenHttp final : public net::Http {
 public:
  TokenHttp(net::Http& inner, std::string token) : inner_(inner), token_(std::move(token)) {}

  Task<Result<net::HttpResponse>> Send(net::HttpRequest request) override {
    return inner_.Send(Signed(std::move(request)));
  }
  Task<Result<net::HttpStream>> Open(net::HttpRequest request) override {
    return inner_.Open(Signed(std::move(request)));
  }

 private:
  net::HttpRequest Signed(net::HttpRequest request) const {
    if (!token_.empty()) request.headers.Set("Authorization", "Bearer " + token_);
    return request;
  }

  net::Http& inner_;
  const std::string token_;
};

class InProcessSession final : public Session {
 public:
  InProcessSession(net::Http& http, std::string token)
      : http_(http, std::move(token)), client_(http_, "agent") {}
  kube::Client& client() override { return client_; }

 private:
  TokenHttp http_;
  kube::Client client_;
};

Result<apiserver::Certificate> IdentityIn(const std::string& path) {
  TRY(const std::string text, ReadWholeFile(path));
  return apiserver::Certificate::Parse(text);
}

class AgentServerTest : public testing::Test {
 protected:
  AgentServerTest() : process_(world_), clock_(process_), log_(sink_, clock_) {
    std::string path = fs::temp_directory_path() / "millwright-agent-XXXXXX";
    if (mkdtemp(path.data()) == nullptr) throw std::runtime_error("no temporary directory");
    directory_ = path;
    boost::asio::co_spawn(process_.executor(), Main(*this), [](const std::exception_ptr& error) {
      if (error) std::rethrow_exception(error);
    });
    world_.RunUntil([this] { return admin_ != nullptr; });
  }
  ~AgentServerTest() override { fs::remove_all(directory_); }

  // What one start of the agent is made of.
  struct Life {
    Life(const Executor& executor, AgentParts parts, AgentSettings settings)
        : agent(std::move(parts), std::move(settings)), tasks(executor) {}
    NodeAgent agent;
    TaskGroup tasks;
  };

  struct Parts {
    net::Handler& handler;
    std::deque<apiserver::InProcessHttp> ways;
    std::deque<Life> lives;
  };

  // The root frame owns all that the process is made of.
  static Task<void> Main(AgentServerTest& self) {
    const Executor executor = self.process_.executor();
    apiserver::MemoryDisk disk("test");
    auto server = apiserver::EmbeddedServer::Open(
                      {.executor = executor,
                       .clock = self.clock_,
                       .random = self.random_,
                       .disk = disk,
                       .pki = apiserver::MakePki({}, self.clock_.Now(), self.random_)})
                      .value();
    (co_await server->Start()).value();
    Parts parts{.handler = server->handler(), .ways = {}, .lives = {}};
    parts.ways.emplace_back(executor, server->handler(), apiserver::TrustedPeer("test"));
    self.parts_ = &parts;
    self.admin_ = &parts.ways.front();
    co_await UntilCancelled();
  }

  Result<std::unique_ptr<Session>> Connect(const kube::ClientConfig& config) {
    net::PeerIdentity peer;
    if (!config.tls.client_cert.empty()) {
      TRY(const auto certificate, IdentityIn(config.tls.client_cert.file));
      peer = net::NamesIn(*certificate.get());
      peer.verified = true;
    }
    parts_->ways.emplace_back(process_.executor(), parts_->handler, peer);
    const auto* token = std::get_if<kube::BearerToken>(&config.credentials);
    return std::make_unique<InProcessSession>(parts_->ways.back(),
                                              token != nullptr ? token->token.Reveal() : "");
  }

  void Start() {
    AgentSettings settings{.user_data = {.server = "https://test", .token = SecretText(kToken)},
                           .state = StateFolder(directory_ / "state"),
                           .node = {.name = "n1",
                                    .provider_id = "local:///u",
                                    .labels = {{"pool", "a"}},
                                    .taints = {{.key = "k", .effect = "NoSchedule"}},
                                    .capacity = {{"cpu", "2"}, {"memory", "4Gi"}, {"pods", "110"}},
                                    .system = {.architecture = "amd64"}},
                           .certificate_life = certificate_life_};
    Life& life = parts_->lives.emplace_back(
        process_.executor(),
        AgentParts{.executor = process_.executor(),
                   .clock = clock_,
                   .random = random_,
                   .log = log_.For("agent"),
                   .connect = [this](const kube::ClientConfig& config) { return Connect(config); }},
        std::move(settings));
    life.tasks.Spawn([&life] { return life.agent.Run(); });
    world_.Settle();
  }

  void Stop() {
    Life& life = parts_->lives.back();
    life.tasks.Cancel();
    world_.RunUntil([&] { return life.tasks.size() == 0; });
    EXPECT_EQ(life.tasks.size(), 0u);
  }

  struct Reply {
    int status;
    json::value body;

    std::string At(std::string_view path) const { return std::string(kube::GetString(body, path)); }
    std::string Condition(std::string_view type, const char* field = "status") const {
      const json::array* conditions = kube::GetArray(body, "status.conditions");
      for (const json::value& condition : conditions != nullptr ? *conditions : json::array()) {
        if (kube::GetString(condition, "type") == type) {
          return std::string(kube::GetString(condition, field));
        }
      }
      return "";
    }
    std::size_t Items() const { return body.at("items").get_array().size(); }
  };

  Reply Ask(std::string method, std::string target, std::string body = "",
            std::string content_type = "application/json") {
    net::HttpRequest request{.method = std::move(method),
                             .target = std::move(target),
                             .headers = {{"Content-Type", content_type}},
                             .body = std::move(body)};
    const auto answer = *RunTask(process_, admin_->Send(std::move(request)));
    return {answer.value().status, json::parse(answer.value().body)};
  }

  void AddToken() {
    const auto made = Ask("POST", "/api/v1/namespaces/kube-system/secrets",
                          R"({"metadata":{"name":"bootstrap-token-abcdef"},
        "type":"bootstrap.kubernetes.io/token","stringData":{"token-id":"abcdef",
        "token-secret":"0123456789abcdef","usage-bootstrap-authentication":"true"}})");
    ASSERT_EQ(made.status, 201) << made.body;
  }

  void AddPod(const std::string& name, const std::string& more = "") {
    const auto made =
        Ask("POST", kPods,
            R"({"metadata":{"name":")" + name + "\"" + more +
                R"(},"spec":{"nodeName":"n1","containers":[{"name":"c","image":"i"}]}})");
    ASSERT_EQ(made.status, 201) << made.body;
    world_.Settle();
  }

  std::string Log() const {
    std::string text;
    for (const std::string& line : sink_.lines()) text += line + "\n";
    return text;
  }

  VirtualWorld world_;
  VirtualProcess process_;
  VirtualClock clock_;
  CapturingSink sink_;
  millwright::Log log_;
  SeededRandom random_{1};
  fs::path directory_;
  std::optional<Duration> certificate_life_;
  Parts* parts_ = nullptr;
  net::Http* admin_ = nullptr;
};

TEST_F(AgentServerTest, AMachineWithATokenBecomesANode) {
  AddToken();
  Start();
  const auto node = Ask("GET", kNode);
  ASSERT_EQ(node.status, 200) << node.body << Log();
  EXPECT_EQ(node.Condition("Ready"), "True") << node.body;
  EXPECT_EQ(node.Condition("Ready", "reason"), "KubeletReady");
  EXPECT_EQ(node.Condition("DiskPressure"), "False");
  EXPECT_EQ(node.At("spec.providerID"), "local:///u");
  EXPECT_EQ(node.At("status.capacity.memory"), "4Gi");
  EXPECT_EQ(node.At("status.allocatable.cpu"), "2");
  EXPECT_EQ(node.At("metadata.labels.pool"), "a");
  EXPECT_EQ(node.body.at("metadata").at("labels").at("kubernetes.io/hostname"), "n1");
  EXPECT_EQ(node.body.at("spec").at("taints").at(0).at("key"), "k");
  EXPECT_NE(node.At("status.nodeInfo.kubeletVersion"), "");
  const auto requests = Ask("GET", kRequests);
  ASSERT_EQ(requests.Items(), 1u);
  EXPECT_EQ(kube::GetString(requests.body.at("items").at(0), "spec.username"),
            "system:bootstrap:abcdef");
}

TEST_F(AgentServerTest, ItsLeaseSaysThatItLives) {
  AddToken();
  Start();
  const auto first = Ask("GET", kLease);
  ASSERT_EQ(first.status, 200) << first.body << Log();
  EXPECT_EQ(first.At("spec.holderIdentity"), "n1");
  EXPECT_EQ(kube::GetInt(first.body, "spec.leaseDurationSeconds"), 40);
  EXPECT_EQ(first.body.at("metadata").at("ownerReferences").at(0).at("name"), "n1");
  for (int i = 1; i <= 6; ++i) {
    world_.Advance(10s);
    const auto lease = Ask("GET", kLease);
    EXPECT_EQ(ParseTime(lease.At("spec.renewTime")).value(),
              ParseTime(first.At("spec.renewTime")).value() + i * 10s);
  }
  Stop();
  const auto last = Ask("GET", kLease).At("spec.renewTime");
  world_.Advance(1min);
  EXPECT_EQ(Ask("GET", kLease).At("spec.renewTime"), last);
}

TEST_F(AgentServerTest, ItsStatusIsRefreshedNowAndThen) {
  AddToken();
  Start();
  const auto first = Ask("GET", kNode);
  world_.Advance(4min);
  EXPECT_EQ(Ask("GET", kNode).At("metadata.resourceVersion"), first.At("metadata.resourceVersion"));
  world_.Advance(90s);
  const auto later = Ask("GET", kNode);
  EXPECT_NE(later.Condition("Ready", "lastHeartbeatTime"),
            first.Condition("Ready", "lastHeartbeatTime"));
  EXPECT_EQ(later.Condition("Ready", "lastTransitionTime"),
            first.Condition("Ready", "lastTransitionTime"));
}

TEST_F(AgentServerTest, WhoeverDoubtsItIsCorrected) {
  AddToken();
  Start();
  world_.Advance(1min);
  const auto doubted = Ask("PATCH", std::string(kNode) + "/status",
                           R"({"status":{"conditions":[{"type":"Ready","status":"Unknown"}]}})",
                           "application/strategic-merge-patch+json");
  ASSERT_EQ(doubted.Condition("Ready"), "Unknown") << doubted.body;
  world_.Advance(11s);
  EXPECT_EQ(Ask("GET", kNode).Condition("Ready"), "True");
}

TEST_F(AgentServerTest, PodsRunAndEnd) {
  AddToken();
  Start();
  AddPod("p");
  const auto pod = Ask("GET", std::string(kPods) + "/p");
  EXPECT_EQ(pod.At("status.phase"), "Running") << pod.body << Log();
  EXPECT_EQ(pod.Condition("Ready"), "True");
  EXPECT_EQ(pod.body.at("status").at("containerStatuses").at(0).at("ready"), true);
  EXPECT_NE(pod.At("status.startTime"), "");
  Ask("DELETE", std::string(kPods) + "/p");
  world_.Settle();
  EXPECT_EQ(Ask("GET", std::string(kPods) + "/p").status, 404) << Log();
}

TEST_F(AgentServerTest, APodWaitsForItsFinalizers) {
  AddToken();
  Start();
  AddPod("p", R"(,"finalizers":["example.org/x"])");
  Ask("DELETE", std::string(kPods) + "/p");
  world_.Advance(1min);
  const auto held = Ask("GET", std::string(kPods) + "/p");
  ASSERT_EQ(held.status, 200);
  world_.Advance(10min);
  // Nobody tries again and again.
  EXPECT_EQ(Ask("GET", std::string(kPods) + "/p").At("metadata.resourceVersion"),
            held.At("metadata.resourceVersion"));
  Ask("PATCH", std::string(kPods) + "/p", R"({"metadata":{"finalizers":null}})",
      "application/merge-patch+json");
  EXPECT_EQ(Ask("GET", std::string(kPods) + "/p").status, 404);
}

TEST_F(AgentServerTest, ADeletedNodeStaysDeleted) {
  AddToken();
  Start();
  ASSERT_EQ(Ask("DELETE", kNode).status, 200);
  world_.Advance(20min);
  EXPECT_EQ(Ask("GET", kNode).status, 404);
  EXPECT_EQ(Ask("GET", kLease).status, 404) << "its garbage must not come back";
  EXPECT_EQ(sink_.Count("the node was deleted"), 1u) << Log();
  // Its pods have nobody else.
  AddPod("p");
  Ask("DELETE", std::string(kPods) + "/p");
  world_.Settle();
  EXPECT_EQ(Ask("GET", std::string(kPods) + "/p").status, 404);
}

TEST_F(AgentServerTest, ARestartGoesOnWithItsCertificate) {
  AddToken();
  Start();
  const auto first = Ask("GET", kNode);
  Stop();
  // Not needed any more.
  Ask("DELETE", "/api/v1/namespaces/kube-system/secrets/bootstrap-token-abcdef");
  world_.Advance(20s);
  Start();
  EXPECT_EQ(Ask("GET", kRequests).Items(), 1u);
  const auto node = Ask("GET", kNode);
  EXPECT_EQ(node.At("metadata.uid"), first.At("metadata.uid"));
  EXPECT_NE(node.Condition("Ready", "lastHeartbeatTime"),
            first.Condition("Ready", "lastHeartbeatTime"));
  EXPECT_EQ(node.Condition("Ready", "lastTransitionTime"),
            first.Condition("Ready", "lastTransitionTime"));
  EXPECT_EQ(sink_.Count("node registered"), 2u) << Log();
  Stop();
  Ask("DELETE", kNode);
  Start();
  EXPECT_EQ(Ask("GET", kNode).status, 200) << "a new start registers";
}

TEST_F(AgentServerTest, WaitsForATokenThatIsNotThereYet) {
  Start();
  world_.Advance(1min);
  EXPECT_EQ(Ask("GET", kNode).status, 404);
  EXPECT_GT(sink_.Count("not in the cluster"), 3u);
  EXPECT_EQ(Log().find("0123456789abcdef"), std::string::npos) << "the token is a secret";
  AddToken();
  world_.Advance(30s);
  EXPECT_EQ(Ask("GET", kNode).status, 200) << Log();
}

TEST_F(AgentServerTest, RenewsItsCertificateInTime) {
  certificate_life_ = 10min;
  AddToken();
  Start();
  Ask("DELETE", "/api/v1/namespaces/kube-system/secrets/bootstrap-token-abcdef");
  const auto first = ReadWholeFile(directory_ / "state" / "identity.pem").value();
  world_.Advance(20min);
  EXPECT_NE(ReadWholeFile(directory_ / "state" / "identity.pem").value(), first);
  EXPECT_GE(sink_.Count("certificate renewed"), 2u) << Log();
  EXPECT_EQ(sink_.Count("certificate renewed") + 1, Ask("GET", kRequests).Items());
  Stop();
  Start();
  EXPECT_EQ(sink_.Count("node registered"), 2u) << Log();
}

TEST_F(AgentServerTest, AsksAgainWhenItsCertificateHasEnded) {
  certificate_life_ = 10min;
  AddToken();
  Start();
  Stop();
  world_.Advance(30min);
  Start();
  EXPECT_EQ(sink_.Count("node registered"), 2u) << Log();
  EXPECT_EQ(Ask("GET", kRequests).Items(), 2u);
}

TEST_F(AgentServerTest, ItsKeyIsForItsOwner) {
  AddToken();
  Start();
  EXPECT_FALSE(fs::exists(directory_ / "state" / "key.pem"));
  const auto mode = fs::status(directory_ / "state" / "identity.pem").permissions();
  EXPECT_EQ(mode & (fs::perms::group_all | fs::perms::others_all), fs::perms::none);
}

}  // namespace
}  // namespace millwright::agent
