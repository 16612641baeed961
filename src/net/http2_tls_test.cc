#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "net/testing/http2_fixture.h"

namespace millwright::net {
namespace {

using testing::HasSubstr;

// Says who it takes the client for, and by which name it was asked.
HttpResponse Introduce(const HttpRequest& request, const LocalConnection& connection) {
  return Text(connection.peer_name() + "|" + connection.asked_name() + "|" +
              std::string(request.headers.Find(":authority").value_or("")));
}

class Http2TlsTest : public Http2Fixture {
 protected:
  TlsConfig Trusting(const TestAuthority& authority) { return {.ca_pem = authority.ca_pem()}; }

  TlsConfig As(const TestIdentity& client) {
    TlsConfig tls = Trusting(authority_);
    tls.client_cert_pem = client.cert_pem;
    tls.client_key_pem = client.key_pem;
    return tls;
  }

  LocalServer& ServeAs(TestIdentity identity) {
    return ServeHttp2(Introduce,
                      LocalServer::Tls{.identity = std::move(identity), .protocols = {"h2"}});
  }

  LocalServer& ServeClientsOf(const TestAuthority& authority) {
    return ServeHttp2(Introduce, LocalServer::Tls{.identity = authority_.IssueServer(),
                                                  .client_ca_pem = authority.ca_pem(),
                                                  .protocols = {"h2"}});
  }

  std::unique_ptr<Http2Client> ClientOf(const LocalServer& server, TlsConfig tls) {
    return Client({.base_url = server.url(), .tls = std::move(tls), .proxy = ""});
  }
};

TEST_F(Http2TlsTest, TrustsTheAuthorityItIsGivenAndNoOther) {
  auto& server = ServeAs(authority_.IssueServer());
  auto right = ClientOf(server, Trusting(authority_));
  const auto trusted = Run(right->Send(Get("/")));
  ASSERT_TRUE(trusted) << trusted.error().message();

  // The second has the name of the right one.
  const TlsConfig wrong[] = {Trusting(TestAuthority("other")), Trusting(TestAuthority()), {}};
  for (const TlsConfig& tls : wrong) {
    auto http = ClientOf(server, tls);
    for (const auto& answer : {Run(http->Send(Get("/"))), Run(http->Send(Post("/", "x")))}) {
      ASSERT_FALSE(answer);
      EXPECT_EQ(answer.error().kind(), ErrorKind::kInvalid) << answer.error().message();
      EXPECT_THAT(answer.error().message(),
                  HasSubstr("check the configured certificate authority"));
    }
  }
}

TEST_F(Http2TlsTest, UnlessToldNotToVerify) {
  auto& server = ServeAs(TestAuthority().IssueServer());
  auto http = ClientOf(server, {.insecure_skip_verify = true});
  const auto answer = Run(http->Send(Get("/")));
  EXPECT_TRUE(answer) << answer.error().message();
}

TEST_F(Http2TlsTest, ExpiredServerIsUnavailable) {
  auto& server = ServeAs(
      authority_.Issue({.common_name = "old",
                        .addresses = {"127.0.0.1"},
                        .ends = WallTime(std::chrono::sys_days(std::chrono::year(2021) / 1 / 1))}));
  auto http = ClientOf(server, Trusting(authority_));
  const auto answer = Run(http->Send(Get("/")));
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().kind(), ErrorKind::kUnavailable);
  EXPECT_THAT(answer.error().message(), HasSubstr("expired"));
}

TEST_F(Http2TlsTest, ServerOfAnotherNameIsRefused) {
  auto& server = ServeAs(authority_.Issue({.common_name = "x", .dns_names = {"kubernetes"}}));
  auto http = ClientOf(server, Trusting(authority_));
  const auto answer = Run(http->Send(Get("/")));
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().kind(), ErrorKind::kInvalid);
  EXPECT_THAT(answer.error().message(), HasSubstr("set the TLS server name"));
}

TEST_F(Http2TlsTest, ServerNameIsAskedForAndVerifiedInsteadOfTheHost) {
  auto& server = ServeAs(authority_.Issue({.common_name = "x", .dns_names = {"kubernetes"}}));
  TlsConfig tls = Trusting(authority_);
  tls.server_name = "kubernetes";
  auto http = ClientOf(server, tls);
  const auto answer = Run(http->Send(Get("/")));
  ASSERT_TRUE(answer) << answer.error().message();
  EXPECT_EQ(answer->body, "|kubernetes|" + server.address());

  // Also where the host has a name that would be asked for otherwise.
  auto by_name = Client(
      {.base_url = "https://localhost:" + std::to_string(server.port()), .tls = tls, .proxy = ""});
  const auto asked = Run(by_name->Send(Get("/")));
  ASSERT_TRUE(asked) << asked.error().message();
  EXPECT_THAT(asked->body, HasSubstr("|kubernetes|localhost:"));
}

TEST_F(Http2TlsTest, WrongServerNameIsRefusedEvenIfTheHostWouldDo) {
  auto& server = ServeAs(authority_.IssueServer());
  for (const auto* name : {"kubernetes", "10.0.0.1"}) {
    TlsConfig tls = Trusting(authority_);
    tls.server_name = name;
    auto http = ClientOf(server, tls);
    const auto answer = Run(http->Send(Get("/")));
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().kind(), ErrorKind::kInvalid);
    EXPECT_THAT(answer.error().message(), HasSubstr("is for another name"));
  }
}

TEST_F(Http2TlsTest, ServerNameMayBeAnAddress) {
  auto& server = ServeAs(authority_.Issue({.common_name = "x", .addresses = {"10.0.0.1"}}));
  TlsConfig tls = Trusting(authority_);
  tls.server_name = "10.0.0.1";
  auto http = ClientOf(server, tls);
  const auto answer = Run(http->Send(Get("/")));
  ASSERT_TRUE(answer) << answer.error().message();
}

TEST_F(Http2TlsTest, ShowsItsCertificate) {
  auto& server = ServeClientsOf(authority_);
  auto http = ClientOf(server, As(authority_.IssueClient("someone")));
  const auto answer = Run(http->Send(Get("/")));
  ASSERT_TRUE(answer) << answer.error().message();
  EXPECT_THAT(answer->body, testing::StartsWith("someone|"));
}

TEST_F(Http2TlsTest, RefusedCertificateIsUnauthenticated) {
  for (const auto* name : {"other", "test-authority"}) {
    auto& server = ServeClientsOf(TestAuthority(name));
    for (const TlsConfig& tls : {Trusting(authority_), As(authority_.IssueClient("someone"))}) {
      auto http = ClientOf(server, tls);
      for (const auto& answer : {Run(http->Send(Get("/"))), Run(http->Send(Post("/", "x")))}) {
        ASSERT_FALSE(answer);
        EXPECT_EQ(answer.error().kind(), ErrorKind::kUnauthenticated) << answer.error().message();
      }
      const auto stream = Run(http->Open(Get("/")));
      ASSERT_FALSE(stream);
      EXPECT_EQ(stream.error().kind(), ErrorKind::kUnauthenticated) << stream.error().message();
    }
  }
}

Task<void> HoldUntil(std::shared_ptr<Http2Peer> peer, Gate* gate) {
  co_await peer->Greet();
  while (const auto asked = co_await peer->Next()) {
    co_await peer->Say(HeadFrame(asked->stream, 200, {}));
    if (asked->request.target == "/held") co_await gate->Wait();
    co_await peer->Say(DataFrame(asked->stream, peer->connection().peer_name(), true));
  }
}

TEST_F(Http2TlsTest, ANewCertificateIsShownOnNewConnections) {
  Gate gate(executor());
  auto& server = Serve(
      [&](Connection connection) {
        return HoldUntil(std::make_shared<Http2Peer>(connection), &gate);
      },
      LocalServer::Tls{.identity = authority_.IssueServer(),
                       .client_ca_pem = authority_.ca_pem(),
                       .protocols = {"h2"}});
  auto http = ClientOf(server, As(authority_.IssueClient("first")));
  EXPECT_EQ(Run(http->Send(Get("/")))->body, "first");
  auto stream = Run(http->Open(Get("/held")));
  ASSERT_TRUE(stream);

  ASSERT_TRUE(http->SetTls(As(authority_.IssueClient("second"))));
  EXPECT_EQ(Run(http->Send(Get("/")))->body, "second");
  EXPECT_EQ(server.accepted(), 2);
  EXPECT_EQ(http->connections_opened(), 2U);
  // What was begun before ends as it began, and its connection with it.
  gate.Open();
  EXPECT_EQ(Run(stream->body->Read()), "first");
  EXPECT_EQ(Run(stream->body->Read()), "");
  RunUntil([&] { return http->connections_open() == 1; });
}

TEST_F(Http2TlsTest, ANewCertificateInTheMiddleOfConnectingIsTheOneShown) {
  auto& server = ServeClientsOf(authority_);
  auto http = ClientOf(server, As(authority_.IssueClient("first")));
  const auto outcome = Start(*http, Get("/"));
  RunUntil([&] { return server.accepted() == 1; });
  ASSERT_TRUE(http->SetTls(As(authority_.IssueClient("second"))));
  Run(tasks_.Join());
  ASSERT_TRUE(**outcome) << (*outcome)->error().message();
  EXPECT_THAT((*outcome)->value().body, testing::StartsWith("second|"));
}

TEST_F(Http2TlsTest, TheSameCertificateChangesNothing) {
  auto& server = ServeClientsOf(authority_);
  const TlsConfig tls = As(authority_.IssueClient("someone"));
  auto http = ClientOf(server, tls);
  ASSERT_TRUE(Run(http->Send(Get("/"))));
  ASSERT_TRUE(http->SetTls(tls));
  ASSERT_TRUE(Run(http->Send(Get("/"))));
  EXPECT_EQ(server.accepted(), 1);
}

TEST_F(Http2TlsTest, ABadCertificateIsNotTaken) {
  auto& server = ServeClientsOf(authority_);
  auto http = ClientOf(server, As(authority_.IssueClient("first")));
  TlsConfig bad = As(authority_.IssueClient("second"));
  bad.client_key_pem = authority_.IssueClient("other").key_pem;
  EXPECT_EQ(http->SetTls(bad).error().kind(), ErrorKind::kInvalid);
  EXPECT_THAT(Run(http->Send(Get("/")))->body, testing::StartsWith("first|"));
}

TEST_F(Http2TlsTest, ServerWithoutHttp2SaysSo) {
  for (const auto& protocols : {std::vector<std::string>{"http/1.1"}, {}}) {
    auto& server = ServeAnswers(
        [](const HttpRequest&, const LocalConnection&) { return Text(""); },
        LocalServer::Tls{.identity = authority_.IssueServer(), .protocols = protocols});
    auto http = ClientAt(server.url());
    const auto one = Start(*http, Post("/", "x"));
    const auto two = Start(*http, Post("/", "x"));
    Run(tasks_.Join());
    for (const auto& outcome : {one, two}) {
      EXPECT_EQ((*outcome)->error().kind(), ErrorKind::kUnavailable);
      EXPECT_NE((*outcome)->error().detail<NeedsHttp11>(), nullptr);
    }
    EXPECT_EQ(server.accepted(), 1);
  }
}

}  // namespace
}  // namespace millwright::net
