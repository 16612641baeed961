#include "net/http_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "net/testing/http2_fixture.h"

namespace millwright::net {
namespace {

using namespace std::chrono_literals;

class HttpClientTest : public Http2Fixture {
 protected:
  std::unique_ptr<HttpClient> Front(ClientOptions options) {
    auto client = HttpClient::Create(executor(), clock_, std::move(options));
    if (!client) throw std::runtime_error(client.error().message());
    return *std::move(client);
  }

  LocalServer& ServeOldHttp() {
    return ServeAnswers(
        [](const HttpRequest& request, const LocalConnection& connection) {
          return Text(connection.protocol() + " " + request.body);
        },
        LocalServer::Tls{.identity = authority_.IssueServer(), .protocols = {"http/1.1"}});
  }
};

TEST_F(HttpClientTest, SpeaksHttp2WhereItCan) {
  auto& server = ServeHttp2([](const HttpRequest& request, const LocalConnection& connection) {
    return Text(connection.protocol() + " " + request.body);
  });
  auto http = Front(OptionsFor(server.url()));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Run(http->Send(Post("/", "x")))->body, "h2 x");
  auto stream = Run(http->Open(Post("/", "y")));
  ASSERT_TRUE(stream) << stream.error().message();
  EXPECT_EQ(Run(stream->body->Read()), "h2 y");
  EXPECT_EQ(server.accepted(), 1);
  EXPECT_EQ(http->connections_opened(), 1U);
}

TEST_F(HttpClientTest, FallsBackToHttp11AndRemembers) {
  auto& server = ServeOldHttp();
  auto http = Front(OptionsFor(server.url()));
  std::vector<Outcome> outcomes;
  for (int i = 0; i < 50; ++i) outcomes.push_back(Start(*http, Post("/", std::to_string(i))));
  Run(tasks_.Join());
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    ASSERT_TRUE(**outcomes[i]) << (*outcomes[i])->error().message();
    EXPECT_EQ((*outcomes[i])->value().body, "http/1.1 " + std::to_string(i));
  }
  const int accepted = server.accepted();
  EXPECT_LE(accepted, 33);  // the calls' limit, and the one that showed it
  EXPECT_EQ(Run(http->Send(Post("/", "x")))->body, "http/1.1 x");
  auto stream = Run(http->Open(Post("/", "y")));
  ASSERT_TRUE(stream) << stream.error().message();
  EXPECT_EQ(Run(stream->body->Read()), "http/1.1 y");
  EXPECT_EQ(server.accepted(), accepted + 1);  // the stream's
}

TEST_F(HttpClientTest, FirstRequestMayBeAStream) {
  auto http = Front(OptionsFor(ServeOldHttp().url()));
  auto stream = Run(http->Open(Post("/", "y")));
  ASSERT_TRUE(stream) << stream.error().message();
  EXPECT_EQ(Run(stream->body->Read()), "http/1.1 y");
}

TEST_F(HttpClientTest, PlainHttpAndWholeAddressesAreServedToo) {
  auto& server = ServeAnswers(
      [](const HttpRequest& request, const LocalConnection&) { return Text(request.target); });
  auto based = Front({.base_url = server.url(), .proxy = ""});
  EXPECT_EQ(Run(based->Send(Get("/x")))->body, "/x");
  auto whole = Front({.base_url = "", .proxy = ""});
  EXPECT_EQ(Run(whole->Send(Get(server.url() + "/y")))->body, "/y");
}

TEST_F(HttpClientTest, ThroughAProxyItIsHttp11) {
  std::vector<std::string> asked;
  auto& proxy = ServeAnswers([&](const HttpRequest& request, const LocalConnection&) {
    asked.push_back(request.method + " " + request.target);
    return HttpResponse{.status = 502, .headers = {}, .body = ""};
  });
  ClientOptions options = OptionsFor("https://server.example:6443");
  options.proxy = proxy.url();
  auto http = Front(options);
  EXPECT_FALSE(Run(http->Send(Get("/"))));
  EXPECT_THAT(asked, testing::ElementsAre("CONNECT server.example:6443"));
}

TEST_F(HttpClientTest, RefusesToStartWithWhatCannotWork) {
  const auto kind = [&](ClientOptions options) {
    auto http = HttpClient::Create(executor(), clock_, std::move(options));
    return http ? std::nullopt : std::optional(http.error().kind());
  };
  EXPECT_EQ(kind({.base_url = "https://host:6443/base"}), std::nullopt);
  EXPECT_EQ(kind({.base_url = "host:6443"}), ErrorKind::kInvalid);
  EXPECT_EQ(kind({.base_url = "https://host", .proxy = "gopher://p"}), ErrorKind::kInvalid);
  EXPECT_EQ(kind({.base_url = "https://host", .tls = {.ca_pem = "?"}}), ErrorKind::kInvalid);
}

TEST_F(HttpClientTest, NewTlsIsForBothProtocols) {
  const auto as = [&](const std::string& name) {
    const TestIdentity identity = authority_.IssueClient(name);
    return TlsConfig{.ca_pem = authority_.ca_pem(),
                     .client_cert_pem = identity.cert_pem,
                     .client_key_pem = identity.key_pem};
  };
  const auto introduce = [](const HttpRequest&, const LocalConnection& connection) {
    return Text(connection.peer_name());
  };
  LocalServer::Tls tls{.identity = authority_.IssueServer(), .client_ca_pem = authority_.ca_pem()};
  LocalServer& old_server = ServeAnswers(introduce, tls);
  tls.protocols = {"h2"};
  LocalServer& new_server = ServeHttp2(introduce, tls);
  for (LocalServer* server : {&old_server, &new_server}) {
    auto http = Front({.base_url = server->url(), .tls = as("first"), .proxy = ""});
    EXPECT_EQ(Run(http->Send(Get("/")))->body, "first");
    ASSERT_TRUE(http->SetTls(as("second")));
    EXPECT_EQ(Run(http->Send(Get("/")))->body, "second");
    EXPECT_FALSE(http->SetTls({.ca_pem = "?"}));
    EXPECT_EQ(Run(http->Send(Get("/")))->body, "second");
  }
}

TEST_F(HttpClientTest, GoesAwayAtAnyTime) {
  auto& server = ServeOldHttp();
  for (int steps = 0; steps < 60; ++steps) {
    auto http = Front(OptionsFor(server.url()));
    const auto outcome = std::make_shared<std::optional<Result<HttpResponse>>>();
    const auto task = std::make_shared<Task<Result<HttpResponse>>>(http->Send(Get("/")));
    tasks_.Spawn([task, outcome] { return KeepOutcome(std::move(*task), outcome); });
    io_.restart();
    for (int step = 0; step < steps && !outcome->has_value(); ++step) io_.run_one();
    http.reset();
    Run(tasks_.Join());
    const bool cancelled = !**outcome && (*outcome)->error().kind() == ErrorKind::kCancelled;
    EXPECT_TRUE(cancelled || (*outcome)->has_value());
  }
}

}  // namespace
}  // namespace millwright::net
