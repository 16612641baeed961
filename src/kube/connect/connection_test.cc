#include "kube/connect/connection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <boost/asio/co_spawn.hpp>

#include <optional>

#include "kube/config/unusable_config.h"
#include "net/testing/curl_fixture.h"

namespace millwright::kube {
namespace {

using testing::HasSubstr;

struct VersionCase {
  const char* name;
  const char* text;
  int major = 0;
  int minor = 0;
};

class ParseServerVersionTest : public testing::TestWithParam<VersionCase> {};

TEST_P(ParseServerVersionTest, ReadsTheNumbers) {
  const auto version = ParseServerVersion(GetParam().text);
  ASSERT_TRUE(version) << version.error().message();
  EXPECT_EQ(version->git_version, "v1");
  EXPECT_EQ(version->major, GetParam().major);
  EXPECT_EQ(version->minor, GetParam().minor);
}

INSTANTIATE_TEST_SUITE_P(
    All, ParseServerVersionTest,
    testing::Values(
        VersionCase{"Plain", R"({"major":"1","minor":"36","gitVersion":"v1"})", 1, 36},
        VersionCase{"OfAProvider", R"({"major":"1","minor":"30+","gitVersion":"v1"})", 1, 30},
        VersionCase{"WithoutNumbers", R"({"gitVersion":"v1"})"},
        VersionCase{"WithEmptyNumbers", R"({"major":"","minor":"x","gitVersion":"v1"})"}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(ParseServerVersionTest, RefusesWhatIsNone) {
  for (const char* text : {"", "[]", "{}", R"({"gitVersion":5})", "<html>"}) {
    EXPECT_FALSE(ParseServerVersion(text)) << text;
  }
}

class ConnectionTest : public net::CurlFixture {
 protected:
  // No proxy, whatever the machine has.
  static ClientConfig ConfigFor(std::string server) {
    ClientConfig config;
    config.server = std::move(server);
    config.proxy_url = "";
    return config;
  }

  Result<std::unique_ptr<kube::Connection>> Open(ClientConfig config) {
    return Run(kube::Connection::Open(executor(), clock_, std::move(config)));
  }

  net::LocalServer& ServeAlways(int status, std::string body) {
    return ServeAnswers([=](const net::HttpRequest&, const net::LocalConnection&) {
      return net::HttpResponse{status, {}, body};
    });
  }
};

TEST_F(ConnectionTest, AServerThatSaysLaterIsAskedAgainIfThatIsWished) {
  int requests = 0;
  auto& server = ServeAnswers([&](const net::HttpRequest&, const net::LocalConnection&) {
    if (++requests % 2 == 1) return net::HttpResponse{429, {{"Retry-After", "0"}}, ""};
    return net::Text(R"({"major":"1","minor":"36","gitVersion":"v1.36.4"})");
  });
  using Opened = Result<std::unique_ptr<kube::Connection>>;
  std::optional<Opened> patient;
  boost::asio::co_spawn(
      executor(),
      kube::Connection::Open(
          executor(), clock_, ConfigFor(server.url()),
          {.retry = net::RetryPolicy{.first_delay = std::chrono::milliseconds(1)}}),
      [&](const std::exception_ptr&, Opened opened) { patient = std::move(opened); });
  RunUntil([&] {
    clock_.Advance(std::chrono::milliseconds(2));
    return patient.has_value();
  });
  EXPECT_TRUE(*patient);
  EXPECT_EQ(requests, 2);
  const auto hasty = Open(ConfigFor(server.url()));
  ASSERT_FALSE(hasty);
  EXPECT_EQ(hasty.error().kind(), ErrorKind::kThrottled);
  EXPECT_EQ(requests, 3);
}

TEST_F(ConnectionTest, AsksTheServerWhoItIs) {
  std::vector<net::HttpRequest> requests;
  auto& server = ServeAnswers([&](const net::HttpRequest& request, const net::LocalConnection&) {
    requests.push_back(request);
    return net::Text(R"({"major":"1","minor":"36","gitVersion":"v1.36.4"})");
  });
  ClientConfig config = ConfigFor(server.url());
  config.credentials = BearerToken{SecretText("t0ken")};
  config.impersonation.user = "jane";
  const auto connection = Open(std::move(config));
  ASSERT_TRUE(connection) << connection.error().message();
  EXPECT_EQ((*connection)->version().git_version, "v1.36.4");
  EXPECT_EQ((*connection)->version().minor, 36);
  ASSERT_EQ(requests.size(), 1u);
  EXPECT_EQ(requests[0].target, "/version");
  EXPECT_EQ(requests[0].headers.Find("Authorization"), "Bearer t0ken");
  EXPECT_EQ(requests[0].headers.Find("Impersonate-User"), "jane");
  EXPECT_EQ(requests[0].headers.Find("User-Agent"), "millwright");
}

struct OpenCase {
  const char* name;
  int status;
  const char* body;
  ErrorKind want;
  bool not_kubernetes;
};

class OpenTest : public ConnectionTest, public testing::WithParamInterface<OpenCase> {};

TEST_P(OpenTest, SaysWhatIsThere) {
  const OpenCase& test = GetParam();
  auto& server = ServeAlways(test.status, test.body);
  const auto connection = Open(ConfigFor(server.url()));
  ASSERT_FALSE(connection);
  EXPECT_EQ(connection.error().kind(), test.want) << connection.error().message();
  EXPECT_EQ(connection.error().detail<NotKubernetes>() != nullptr, test.not_kubernetes);
  if (test.not_kubernetes) EXPECT_THAT(connection.error().message(), HasSubstr(server.url()));
}

INSTANTIATE_TEST_SUITE_P(
    All, OpenTest,
    testing::Values(OpenCase{"AWebPage", 200, "<html>", ErrorKind::kInvalid, true},
                    OpenCase{"OtherJson", 200, R"({"a":1})", ErrorKind::kInvalid, true},
                    OpenCase{"AServerWithoutIt", 404, "not found", ErrorKind::kInvalid, true},
                    OpenCase{"ARedirectToALogin", 302, "", ErrorKind::kInvalid, true},
                    OpenCase{"WhoAreYou", 401, "", ErrorKind::kUnauthenticated, false},
                    OpenCase{"NotForYou", 403, "", ErrorKind::kPermission, false},
                    OpenCase{"ComeBackLater", 429, "", ErrorKind::kThrottled, false},
                    OpenCase{"Broken", 500, "", ErrorKind::kUnavailable, false},
                    OpenCase{"Starting", 503, "", ErrorKind::kUnavailable, false}),
    [](const auto& test) { return std::string(test.param.name); });

TEST_F(ConnectionTest, AServerOfAnotherAuthorityIsNotTakenForAWebPage) {
  net::TestAuthority authority;
  auto& server = ServeAnswers(
      [](const net::HttpRequest&, const net::LocalConnection&) { return net::Text("{}"); },
      net::LocalServer::Tls{.identity = authority.IssueServer()});
  ClientConfig config = ConfigFor(server.url());
  config.tls.ca.pem = net::TestAuthority("other").ca_pem();
  const auto connection = Open(std::move(config));
  ASSERT_FALSE(connection);
  EXPECT_EQ(connection.error().kind(), ErrorKind::kInvalid);
  EXPECT_EQ(connection.error().detail<NotKubernetes>(), nullptr);
  EXPECT_EQ(connection.error().detail<UnusableConfig>(), nullptr);
}

TEST_F(ConnectionTest, NobodyThereIsUnavailable) {
  // Bound, so that nobody else gets it, but nobody listens.
  boost::asio::ip::tcp::socket bound(io_, boost::asio::ip::tcp::v4());
  bound.bind({boost::asio::ip::address_v4::loopback(), 0});
  const auto connection =
      Open(ConfigFor("http://127.0.0.1:" + std::to_string(bound.local_endpoint().port())));
  ASSERT_FALSE(connection);
  EXPECT_EQ(connection.error().kind(), ErrorKind::kUnavailable);
}

TEST_F(ConnectionTest, AFileThatIsNotThereIsTheConfigurationsFault) {
  ClientConfig config = ConfigFor("https://127.0.0.1:1");
  config.tls.ca.file = "/no/such/file";
  const auto connection = Open(std::move(config));
  ASSERT_FALSE(connection);
  EXPECT_EQ(connection.error().kind(), ErrorKind::kInvalid);
  EXPECT_NE(connection.error().detail<UnusableConfig>(), nullptr);
}

TEST_F(ConnectionTest, APluginThatIsNotThereIsTheConfigurationsFault) {
  auto& server = ServeAlways(200, "{}");
  ClientConfig config = ConfigFor(server.url());
  config.credentials = ExecPlugin{.command = "no-such-plugin-anywhere"};
  const auto connection = Open(std::move(config));
  ASSERT_FALSE(connection);
  EXPECT_EQ(connection.error().kind(), ErrorKind::kInvalid);
  EXPECT_NE(connection.error().detail<UnusableConfig>(), nullptr);
  EXPECT_THAT(connection.error().message(), HasSubstr("not installed"));
}

}  // namespace
}  // namespace millwright::kube
