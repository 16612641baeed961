// The program as a person uses it, against a server of a few lines; tests/e2e does it against a
// real one.
#include "cli/commands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "cli/version.h"
#include "net/testing/curl_fixture.h"

namespace millwright::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

struct Outcome {
  int code;
  std::string out;
  std::string err;
};

Outcome Millwright(std::vector<std::string> words) {
  words.insert(words.begin(), "millwright");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const int code = Main(static_cast<int>(words.size()), argv.data());
  std::fflush(stdout);
  return {code, testing::internal::GetCapturedStdout(), testing::internal::GetCapturedStderr()};
}

TEST(MainTest, WithoutWordsItHelps) {
  const Outcome outcome = Millwright({});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("examples:"), HasSubstr("watch")));
}

TEST(MainTest, HelpIsSuccess) {
  EXPECT_EQ(Millwright({"--help"}).code, 0);
  const Outcome outcome = Millwright({"watch", "--help"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("--field-selector"));
}

TEST(MainTest, SaysItsVersion) {
  EXPECT_THAT(VersionText(), StartsWith("millwright "));
  for (const char* word : {"version", "--version"}) {
    const Outcome outcome = Millwright({word});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(outcome.out, VersionText() + "\n");
  }
}

struct UsageCase {
  const char* name;
  std::vector<std::string> words;
  const char* says;
};

class UsageTest : public testing::TestWithParam<UsageCase> {};

TEST_P(UsageTest, IsExitCodeTwoAndSaysWhy) {
  const Outcome outcome = Millwright(GetParam().words);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr(GetParam().says));
}

INSTANTIATE_TEST_SUITE_P(
    All, UsageTest,
    testing::Values(
        UsageCase{"NoSuchCommand", {"nonsense"}, "nonsense"},
        UsageCase{"NoSuchFlag", {"version", "--loud"}, "--loud"},
        UsageCase{"NoResource", {"watch"}, "RESOURCE"},
        UsageCase{"AgentOfNothing", {"node-agent", "--state-dir", "x"}, "--user-data"},
        UsageCase{"AgentWithoutItsFile",
                  {"node-agent", "--state-dir", "x", "--user-data", "/no/file"},
                  "/no/file"},
        UsageCase{"HalfAResource", {"watch", "nodes"}, "nodes"},
        UsageCase{"NoSuchOutput", {"watch", "v1/nodes", "-o", "yaml"}, "yaml"},
        UsageCase{"NoSuchLogLevel", {"--log", "loud", "watch", "v1/nodes"}, "loud"},
        UsageCase{"TwoKindsOfNamespace", {"watch", "v1/pods", "-A", "-n", "x"}, "--namespace"},
        UsageCase{"NoSuchShell", {"completion", "tcsh"}, "tcsh"}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(CompletionCommandTest, PrintsAScript) {
  const Outcome outcome = Millwright({"completion", "bash"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("millwright watch"), HasSubstr("--log-format")));
}

// A server that runs beside the command, which has an event loop of its own.
class SmallServer {
 public:
  using Answers = std::function<net::HttpResponse(const net::HttpRequest&)>;

  explicit SmallServer(Answers answers)
      : answers_(std::move(answers)),
        server_(io_.get_executor(), [this](auto connection) { return Serve(connection); }),
        thread_([this] { io_.run(); }) {}

  ~SmallServer() {
    boost::asio::co_spawn(io_, server_.Stop(), boost::asio::detached);
    thread_.join();
  }

  std::string url() const { return server_.url(); }

 private:
  Task<void> Serve(net::LocalServer::Connection connection) {
    while (const auto request = co_await connection->ReadRequest()) {
      co_await connection->Answer(answers_(*request));
    }
  }

  const Answers answers_;
  boost::asio::io_context io_{1};
  net::LocalServer server_;
  std::thread thread_;
};

net::HttpResponse Answer(int status, std::string body = "") { return {status, {}, body}; }

std::string Event(const std::string& type, const std::string& object) {
  return R"({"type":")" + type + R"(","object":)" + object + "}\n";
}

// Two namespaced things and a cluster-scoped one, each kind with one object.
net::HttpResponse Kubernetes(const net::HttpRequest& request) {
  const std::string_view target = request.target;
  if (target == "/version") return Answer(200, R"({"gitVersion":"v1.36.0"})");
  if (target == "/api/v1") {
    return Answer(200, R"({"resources":[{"name":"nodes","kind":"Node","namespaced":false},
                          {"name":"pods","kind":"Pod","namespaced":true}]})");
  }
  if (target.starts_with("/apis/")) return Answer(404);
  if (target.contains("labelSelector=wrong")) return Answer(400, "no such selector");
  if (target.contains("forbidden")) return Answer(403, "not you");
  if (!target.contains("watch=true")) return Answer(200, R"({"items":[]})");
  const bool nodes = target.contains("/nodes");
  return Answer(
      200, Event("ADDED",
                 nodes ? R"({"metadata":{"name":"n1","resourceVersion":"3"},"spec":{"x":1}})"
                       : R"({"metadata":{"name":"p1","namespace":"ns","resourceVersion":"4"}})") +
               Event("BOOKMARK", R"({"metadata":{"resourceVersion":"9","annotations":)"
                                 R"({"k8s.io/initial-events-end":"true"}}})"));
}

class WatchCommandTest : public testing::Test {
 protected:
  WatchCommandTest() {
    std::string path = std::filesystem::temp_directory_path() / "millwright-cli-XXXXXX";
    if (mkdtemp(path.data()) == nullptr) throw std::runtime_error("no temporary directory");
    directory_ = path;
    // The machine's own settings stay out of it.
    for (const char* name : {"KUBECONFIG", "http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"}) {
      unsetenv(name);
    }
  }
  ~WatchCommandTest() override { std::filesystem::remove_all(directory_); }

  std::string Kubeconfig(const std::string& server, const std::string& user = "{}") {
    const std::string path = directory_ / "kubeconfig";
    std::ofstream(path) << "{current-context: c, contexts: [{name: c, context: {cluster: c, user: "
                           "u}}], clusters: [{name: c, cluster: {server: '"
                        << server << "'}}], users: [{name: u, user: " << user << "}]}\n";
    return path;
  }

  Outcome Watch(const std::string& kubeconfig, std::vector<std::string> words) {
    words.insert(words.begin(), {"--log", "error", "watch", "--once", "--kubeconfig", kubeconfig});
    return Millwright(std::move(words));
  }

  Outcome WatchAt(const std::string& server, std::vector<std::string> words) {
    return Watch(Kubeconfig(server), std::move(words));
  }

  std::filesystem::path directory_;
};

TEST_F(WatchCommandTest, PrintsWhatIsThere) {
  SmallServer server(Kubernetes);
  const Outcome nodes = WatchAt(server.url(), {"v1/nodes"});
  EXPECT_EQ(nodes.code, 0) << nodes.err;
  EXPECT_THAT(nodes.out, AllOf(StartsWith("TIME "), HasSubstr(" THERE    3            n1\n")));
  EXPECT_THAT(nodes.err, IsEmpty());
  const Outcome as_json = WatchAt(server.url(), {"v1/nodes", "-o", "json"});
  EXPECT_EQ(as_json.out,
            R"({"event":"THERE","object":{"metadata":{"name":"n1","resourceVersion":"3"},)"
            R"("spec":{"x":1}}})"
            "\n");
}

TEST_F(WatchCommandTest, AsksForWhatItWasTold) {
  std::vector<std::string> targets;
  std::string accept;
  {
    SmallServer server([&](const net::HttpRequest& request) {
      targets.push_back(request.target);
      accept = request.headers.Find("Accept").value_or("");
      return Kubernetes(request);
    });
    EXPECT_EQ(
        WatchAt(server.url(), {"v1/pods", "-n", "x", "-l", "a=b", "--field-selector", "c=d"}).code,
        0);
    EXPECT_EQ(WatchAt(server.url(), {"v1/pods"}).code, 0);
    EXPECT_EQ(WatchAt(server.url(), {"v1/pods", "-A"}).code, 0);
    EXPECT_EQ(WatchAt(server.url(), {"v1/nodes", "-n", "x"}).code, 0);
  }
  ASSERT_EQ(targets.size(), 16u);
  EXPECT_EQ(targets[2],
            "/api/v1/namespaces/x/pods?labelSelector=a%3Db&fieldSelector=c%3Dd&limit=1");
  EXPECT_THAT(targets[3], AllOf(StartsWith("/api/v1/namespaces/x/pods?"),
                                HasSubstr("labelSelector=a%3Db&fieldSelector=c%3Dd")));
  EXPECT_THAT(targets[7], StartsWith("/api/v1/namespaces/default/pods?"));
  EXPECT_THAT(targets[11], StartsWith("/api/v1/pods?"));
  // A node is in no namespace, whatever was said.
  EXPECT_THAT(targets[15], StartsWith("/api/v1/nodes?"));
  EXPECT_THAT(accept, HasSubstr("as=PartialObjectMetadata;"));
}

TEST_F(WatchCommandTest, EachFailureHasItsCode) {
  SmallServer server(Kubernetes);
  const std::string fine = Kubeconfig(server.url());
  EXPECT_EQ(Watch("/no/such/file", {"v1/nodes"}).code, 3);
  EXPECT_EQ(Watch(fine, {"v1/nodes", "--context", "nope"}).code, 4);
  EXPECT_EQ(Watch(fine, {"apps/v1/deployments"}).code, 10);
  EXPECT_EQ(Watch(fine, {"v1/unicorns"}).code, 10);
  EXPECT_EQ(Watch(fine, {"v1/pods", "-n", "forbidden"}).code, 7);
  // Tried for ever, it would never say so.
  const Outcome selector = Watch(fine, {"v1/pods", "-l", "wrong"});
  EXPECT_EQ(selector.code, 1);
  EXPECT_THAT(selector.err, HasSubstr("no such selector"));
}

TEST_F(WatchCommandTest, EachServerHasItsCode) {
  struct {
    int status;
    const char* body;
    int want;
  } const cases[] = {{200, "<html>", 8}, {404, "", 8}, {401, "", 6}, {403, "", 7}, {503, "", 9}};
  for (const auto& test : cases) {
    SmallServer server([&](const net::HttpRequest&) { return Answer(test.status, test.body); });
    EXPECT_EQ(WatchAt(server.url(), {"v1/nodes"}).code, test.want) << test.status;
  }
}

TEST_F(WatchCommandTest, WhatTheKubeconfigNamesMustBeThere) {
  const Outcome file = Watch(
      Kubeconfig("https://127.0.0.1:1", "{client-certificate: /no/cert, client-key: /no/key}"),
      {"v1/nodes"});
  EXPECT_EQ(file.code, 3);
  EXPECT_THAT(file.err, HasSubstr("/no/cert"));
}

}  // namespace
}  // namespace millwright::cli
