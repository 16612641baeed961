#include "kube/config/exec_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

#include "base/task_group.h"
#include "base/virtual/world.h"
#include "kube/config/auth.h"
#include "kube/config/fake_surroundings.h"

namespace millwright::kube {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kV1 = "client.authentication.k8s.io/v1";

ChildResult Printed(const std::string& status) {
  return {
      .out = SecretText(
          R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":)" +
          status + "}")};
}

ChildResult Token(const std::string& token) { return Printed(R"({"token":")" + token + "\"}"); }

// A plugin that takes a second, on the virtual clock.
class FakePlugin {
 public:
  explicit FakePlugin(Clock& clock) : clock_(clock) {}

  void Answer(Result<ChildResult> answer) { answers_.push_back(std::move(answer)); }

  Task<Result<ChildResult>> Run(ChildCommand command) {
    commands.push_back(std::move(command));
    const Wake why = co_await SleepFor(clock_, 1s);
    if (why == Wake::kCancelled) co_return Fail(ErrorKind::kCancelled, "stopped");
    if (answers_.empty()) co_return Token("token-" + std::to_string(commands.size()));
    auto answer = std::move(answers_.front());
    answers_.pop_front();
    co_return answer;
  }

  std::vector<ChildCommand> commands;

 private:
  Clock& clock_;
  std::deque<Result<ChildResult>> answers_;
};

class ExecSourceTest : public testing::Test {
 protected:
  void Start(ExecPlugin plugin, const net::TlsConfig& tls = {}) {
    const ClientConfig config{.server = "https://h",
                              .tls = {.ca = {.pem = tls.ca_pem}},
                              .credentials = std::move(plugin)};
    auto created = AuthSource::Create(
        config, {.executor = process_.executor(),
                 .clock = clock_,
                 .surroundings = FakeFiles().With({{"PATH", "/bin"}, {"A", "ours"}}),
                 .run = [this](ChildCommand command) { return plugin_.Run(std::move(command)); }});
    ASSERT_TRUE(created) << created.error().message();
    source_ = *std::move(created);
  }

  // What requests would be sent with, or the error.
  std::string Authorization() {
    const auto state = RunTask(process_, source_->Current());
    if (!*state) return (*state).error().message();
    const auto& authorization = (**state).authorization;
    return authorization == nullptr ? "" : authorization->Reveal();
  }

  // Asks in the background and notes the answer.
  Task<void> Ask() {
    const auto state = co_await source_->Current();
    answers_.push_back(state ? (*state).authorization->Reveal() : state.error().message());
  }

  VirtualWorld world_;
  VirtualProcess process_{world_};
  VirtualClock clock_{process_};
  FakePlugin plugin_{clock_};
  std::unique_ptr<AuthSource> source_;
  std::vector<std::string> answers_;
};

const ExecPlugin kPlugin = {
    .command = "get", .args = {"x"}, .env = {{"A", "theirs"}}, .api_version = kV1};

TEST_F(ExecSourceTest, RunsThePluginWhenItIsNeeded) {
  Start(kPlugin);
  EXPECT_TRUE(plugin_.commands.empty());
  EXPECT_EQ(Authorization(), "Bearer token-1");
  ASSERT_EQ(plugin_.commands.size(), 1U);
  EXPECT_EQ(plugin_.commands[0].program, "get");
  EXPECT_THAT(plugin_.commands[0].args, ElementsAre("x"));
  EXPECT_THAT(plugin_.commands[0].env,
              ElementsAre("A=theirs",
                          "KUBERNETES_EXEC_INFO={\"kind\":\"ExecCredential\",\"apiVersion\":"
                          "\"client.authentication.k8s.io/v1\",\"spec\":{\"interactive\":false}}",
                          "PATH=/bin"));
}

TEST_F(ExecSourceTest, KeepsWhatDoesNotExpire) {
  Start(kPlugin);
  EXPECT_EQ(Authorization(), "Bearer token-1");
  world_.Advance(24h);
  EXPECT_EQ(Authorization(), "Bearer token-1");
}

TEST_F(ExecSourceTest, RenewsShortlyBeforeItExpires) {
  Start(kPlugin);
  plugin_.Answer(Printed(R"({"token":"short","expirationTimestamp":")" +
                         FormatTime(world_.Now() + 60s) + "\"}"));
  EXPECT_EQ(Authorization(), "Bearer short");
  world_.Advance(48s);
  EXPECT_EQ(Authorization(), "Bearer short");
  world_.Advance(1s);
  EXPECT_EQ(Authorization(), "Bearer token-2");
}

TEST_F(ExecSourceTest, UsesWhatHasExpiredOnceRatherThanNothing) {
  Start(kPlugin);
  plugin_.Answer(Printed(R"({"token":"late","expirationTimestamp":"2020-01-01T00:00:00Z"})"));
  EXPECT_EQ(Authorization(), "Bearer late");
  EXPECT_EQ(Authorization(), "Bearer token-2");
}

TEST_F(ExecSourceTest, RunsAgainAfterARefusalButOnlyOnce) {
  Start(kPlugin);
  EXPECT_EQ(Authorization(), "Bearer token-1");
  const AuthState used = source_->state();
  source_->Invalidate(used);
  EXPECT_EQ(Authorization(), "Bearer token-2");
  source_->Invalidate(used);
  EXPECT_EQ(Authorization(), "Bearer token-2");
  EXPECT_EQ(plugin_.commands.size(), 2U);
}

TEST_F(ExecSourceTest, OneExecutionServesAll) {
  Start(kPlugin);
  TaskGroup group(process_.executor());
  for (int i = 0; i < 3; ++i) group.Spawn([this] { return Ask(); });
  world_.Advance(1s);
  EXPECT_THAT(answers_, ElementsAre("Bearer token-1", "Bearer token-1", "Bearer token-1"));
  EXPECT_EQ(plugin_.commands.size(), 1U);
}

TEST_F(ExecSourceTest, AFailureIsSharedToo) {
  Start(kPlugin);
  plugin_.Answer(ChildResult{.exit_code = 3, .err = "log in\nfirst\x1b[0m\n"});
  TaskGroup group(process_.executor());
  for (int i = 0; i < 2; ++i) group.Spawn([this] { return Ask(); });
  world_.Advance(1s);
  const char* const want =
      "getting credentials from the exec plugin get: it failed with exit code 3: log in first [0m";
  EXPECT_THAT(answers_, ElementsAre(want, want));
  EXPECT_EQ(plugin_.commands.size(), 1U);
  EXPECT_EQ(Authorization(), "Bearer token-2") << "the next request tries again";
}

TEST_F(ExecSourceTest, WhoWaitsGoesOnIfTheFirstIsCancelled) {
  Start(kPlugin);
  TaskGroup first(process_.executor());
  TaskGroup second(process_.executor());
  first.Spawn([this] { return Ask(); });
  world_.Settle();
  second.Spawn([this] { return Ask(); });
  world_.Settle();
  first.Cancel();
  world_.Advance(2s);
  EXPECT_THAT(answers_, ElementsAre(HasSubstr("stopped"), "Bearer token-2"));
}

TEST_F(ExecSourceTest, AWaiterCanBeCancelled) {
  Start(kPlugin);
  TaskGroup first(process_.executor());
  TaskGroup second(process_.executor());
  first.Spawn([this] { return Ask(); });
  world_.Settle();
  second.Spawn([this] { return Ask(); });
  world_.Settle();
  second.Cancel();
  world_.Advance(1s);
  EXPECT_THAT(answers_, ElementsAre("stopped while waiting for credentials", "Bearer token-1"));
}

TEST_F(ExecSourceTest, ACertificateBecomesPartOfTls) {
  Start(kPlugin, {.ca_pem = "ca"});
  plugin_.Answer(Printed(R"({"clientCertificateData":"cert","clientKeyData":"key"})"));
  EXPECT_EQ(source_->state().tls_generation, 1U);
  EXPECT_EQ(Authorization(), "");
  EXPECT_EQ(source_->state().tls_generation, 2U);
  EXPECT_EQ(source_->state().tls->client_cert_pem, "cert");
  EXPECT_EQ(source_->state().tls->client_key_pem, SecretText("key"));
  EXPECT_EQ(source_->state().tls->ca_pem, "ca");
}

TEST_F(ExecSourceTest, AMissingPluginGivesItsHint) {
  ExecPlugin plugin = kPlugin;
  plugin.install_hint = "Get it from\nhttps://example.com/get";
  Start(plugin);
  plugin_.Answer(Fail(ErrorKind::kNotFound, "there is no such program"));
  EXPECT_EQ(Authorization(),
            "getting credentials from the exec plugin get: it is not installed: Get it from "
            "https://example.com/get");
  Start(kPlugin);
  plugin_.Answer(Fail(ErrorKind::kNotFound, "there is no such program"));
  EXPECT_EQ(
      Authorization(),
      "getting credentials from the exec plugin get: it is not installed; install it or add its "
      "folder to PATH");
}

TEST_F(ExecSourceTest, NeverShowsWhatThePluginPrinted) {
  Start(kPlugin);
  plugin_.Answer(ChildResult{.out = SecretText(R"({"token": "s3cret)")});
  const std::string error = Authorization();
  EXPECT_THAT(error, HasSubstr("what it printed:1:"));
  EXPECT_THAT(error, testing::Not(HasSubstr("s3cret")));
}

TEST_F(ExecSourceTest, RefusesAPluginThatNeedsATerminal) {
  ExecPlugin plugin = kPlugin;
  plugin.interactive = ExecPlugin::Interactive::kAlways;
  const auto created = AuthSource::Create(
      {.credentials = plugin},
      {.executor = process_.executor(), .clock = clock_, .surroundings = FakeFiles().With()});
  ASSERT_FALSE(created);
  EXPECT_THAT(created.error().message(), HasSubstr("asks questions (interactiveMode Always)"));
}

}  // namespace
}  // namespace millwright::kube
