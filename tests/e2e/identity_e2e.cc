// Who we are and who leads, against a real server.
#include <boost/json.hpp>

#include <filesystem>
#include <fstream>
#include <functional>

#include "kube/leader/elector.h"
#include "tests/e2e/proxied.h"

namespace millwright::e2e {
namespace {

using namespace std::chrono_literals;

const kube::GroupVersionResource kConfigMaps{"", "v1", "configmaps"};
const kube::GroupVersionResource kLeases{"coordination.k8s.io", "v1", "leases"};
const kube::GroupVersionResource kReviews{"authentication.k8s.io", "v1", "selfsubjectreviews"};

std::string ReadFile(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The real time, and some more.
class AheadClock final : public Clock {
 public:
  explicit AheadClock(Clock& clock) : clock_(clock) {}

  WallTime Now() const override { return clock_.Now(); }
  SteadyTime Elapsed() const override { return clock_.Elapsed() + ahead; }
  TimerId Arm(SteadyTime deadline, WaitTable& table, WaitId wait) override {
    return clock_.Arm(deadline - ahead, table, wait);
  }
  void Disarm(TimerId timer) override { clock_.Disarm(timer); }

  Duration ahead{};

 private:
  Clock& clock_;
};

class IdentityE2e : public ProxiedTest {
 protected:
  kube::ClientConfig ConfigOf(const std::string& user) {
    return *kube::LoadClientConfig({.kubeconfig = plane().Kubeconfig(user)},
                                   kube::SurroundingsOfThisProcess());
  }

  Result<std::string> ListWith(kube::Connection& connection) {
    return Await(connection.client().List(kConfigMaps, {.namespace_ = "default", .limit = 1}));
  }

  // Whom the server takes us for.
  std::string NameAt(kube::Connection& connection) {
    const auto review = Await(connection.client().Create(
        kReviews, {"", ""},
        R"({"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"})"));
    EXPECT_TRUE(review) << review.error().message();
    return boost::json::value_to<std::string>(
        review->Tree()->at("status").at("userInfo").at("username"));
  }
};

TEST_F(IdentityE2e, ATokenFileThatIsReplacedIsReadAgain) {
  const auto directory = std::filesystem::temp_directory_path() / name_space();
  std::filesystem::create_directories(directory);
  const std::string path = directory / "token";
  kube::ClientConfig config = ConfigOf("millwright");
  const std::string good = std::get<kube::BearerToken>(config.credentials).token.Reveal();
  std::ofstream(path) << "not-a-token\n";
  config.credentials = kube::TokenFile{.path = path};
  auto connection = *kube::Connection::Make(loop_.get_executor(), clock_, config);
  const auto refused = ListWith(*connection);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind(), ErrorKind::kUnauthenticated);
  std::ofstream(path) << good << "\n";
  const auto accepted = ListWith(*connection);
  EXPECT_TRUE(accepted) << accepted.error().message();
  std::filesystem::remove_all(directory);
}

TEST_F(IdentityE2e, ATokenFileIsReadAgainBeforeItsTokenIsRefused) {
  const auto directory = std::filesystem::temp_directory_path() / name_space();
  std::filesystem::create_directories(directory);
  const std::string path = directory / "token";
  const auto use = [&](const std::string& user) {
    std::ofstream(path) << std::get<kube::BearerToken>(ConfigOf(user).credentials).token.Reveal();
  };
  use("millwright");
  kube::ClientConfig config = ConfigOf("millwright");
  config.credentials = kube::TokenFile{.path = path};
  AheadClock clock(clock_);
  auto connection = *kube::Connection::Make(loop_.get_executor(), clock, config);
  EXPECT_EQ(NameAt(*connection), plane().UserName("millwright"));
  use("reader");
  clock.ahead = 11s;
  EXPECT_EQ(NameAt(*connection), plane().UserName("reader"));
  std::filesystem::remove_all(directory);
}

TEST_F(IdentityE2e, CertificateFilesThatAreReplacedAreUsed) {
  const auto directory = std::filesystem::temp_directory_path() / name_space();
  std::filesystem::create_directories(directory);
  const auto use = [&](const std::string& user) {
    const kube::ClientConfig config = ConfigOf(user);
    std::ofstream(directory / "cert")
        << (config.tls.client_cert.pem.empty() ? ReadFile(config.tls.client_cert.file)
                                               : config.tls.client_cert.pem);
    std::ofstream(directory / "key")
        << (config.tls.client_key.pem.empty() ? ReadFile(config.tls.client_key.file)
                                              : config.tls.client_key.pem.Reveal());
  };
  plane().MakeIdentity("nosy", {});
  use("nosy");
  kube::ClientConfig config = ConfigOf("admin");
  config.tls.client_cert = {.file = directory / "cert"};
  config.tls.client_key = {.pem = SecretText(), .file = directory / "key"};
  AheadClock clock(clock_);
  auto connection = *kube::Connection::Make(loop_.get_executor(), clock, config);
  const auto refused = ListWith(*connection);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind(), ErrorKind::kPermission) << refused.error().message();
  use("admin");
  // Files are looked at every ten seconds at the most.
  clock.ahead = 11s;
  const auto accepted = ListWith(*connection);
  EXPECT_TRUE(accepted) << accepted.error().message();
  std::filesystem::remove_all(directory);
}

TEST_F(IdentityE2e, WhatIsNotPermittedSaysWhatIsMissing) {
  auto connection = Connect("nobody");
  const auto refused = ListWith(*connection);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind(), ErrorKind::kPermission);
  EXPECT_THAT(refused.error().message(), testing::HasSubstr("cannot list resource \"configmaps\""));
}

// A contender for the lease.
struct Contender {
  Contender(RealServerTest&, kube::Client& client, Clock& clock, Random& random, Logger log,
            const std::string& name_space, const std::string& name)
      : elector(client, clock, random, std::move(log),
                {.lease = {name_space, "e2e"},
                 .identity = name,
                 .timing = {.lease_duration = 3s, .renew_deadline = 2s, .retry_period = 200ms}}) {}

  Task<void> Lead() {
    if (on_lead) on_lead();
    leading = true;
    co_await UntilCancelled();
    leading = false;
  }

  Task<void> Run() {
    outcome = co_await elector.Run([this] { return Lead(); });
  }

  kube::Elector elector;
  std::function<void()> on_lead;
  bool leading = false;
  std::optional<kube::LeaderOutcome> outcome;
};

TEST_F(IdentityE2e, OfTwoContendersOneLeadsAndTheOtherTakesOver) {
  auto connection = Connect("millwright");
  Contender a(*this, connection->client(), clock_, random_, log_->For("a"), name_space(), "a");
  Contender b(*this, connection->client(), clock_, random_, log_->For("b"), name_space(), "b");
  TaskGroup first(loop_.get_executor());
  const StopAtEnd stop(*this);
  first.Spawn([&] { return a.Run(); });
  RunUntil([&] { return a.leading; });
  tasks_.Spawn([&] { return b.Run(); });
  const auto holder = [&] {
    const auto lease = Await(connection->client().Get(kLeases, {name_space(), "e2e"}));
    return kube::RecordOf(*lease->Tree()).holder;
  };
  EXPECT_EQ(holder(), "a");
  EXPECT_FALSE(b.leading);
  // An orderly end frees the lease at once.
  first.Cancel();
  RunUntil([&] { return b.leading; });
  EXPECT_FALSE(a.leading);
  EXPECT_EQ(a.outcome, kube::LeaderOutcome::kStopped);
  EXPECT_EQ(holder(), "b");
}

TEST_F(IdentityE2e, ALeaderThatCannotRenewStopsBeforeAnotherMayStart) {
  auto connection = Connect("millwright");
  Contender a(*this, connection->client(), clock_, random_, log_->For("a"), name_space(), "a");
  const StopAtEnd stop(*this);
  tasks_.Spawn([&] { return a.Run(); });
  RunUntil([&] { return a.leading; });
  plane().KillApiserver();
  RunUntil([&] { return a.outcome.has_value(); });
  EXPECT_FALSE(a.leading);
  EXPECT_EQ(a.outcome, kube::LeaderOutcome::kLost);
  plane().RestartApiserver();
}

TEST_F(IdentityE2e, ALeaderThatIsCutOffStopsBeforeTheOtherStarts) {
  auto& proxy = StartProxy("millwright");
  auto connection = Connect("millwright");
  Contender a(*this, proxied_client(), clock_, random_, log_->For("a"), name_space(), "a");
  Contender b(*this, connection->client(), clock_, random_, log_->For("b"), name_space(), "b");
  bool both = false;
  b.on_lead = [&] { both = a.leading; };
  const StopAtEnd stop(*this);
  tasks_.Spawn([&] { return a.Run(); });
  RunUntil([&] { return a.leading; });
  tasks_.Spawn([&] { return b.Run(); });
  // None of its renewals reaches the server from now on.
  proxy.script().Add({.method = "write", .times = -1, .action = {.fault = faults::Fault::kRefuse}});
  RunUntil([&] { return b.leading; });
  EXPECT_FALSE(both);
  EXPECT_EQ(a.outcome, kube::LeaderOutcome::kLost);
}

}  // namespace
}  // namespace millwright::e2e
