#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "net/testing/curl_fixture.h"

namespace millwright::net {
namespace {

using testing::HasSubstr;

// Says who it takes the client for, and by which name it was asked.
HttpResponse Introduce(const HttpRequest& request, const LocalConnection& connection) {
  return Text(connection.peer_name() + "|" + connection.asked_name() + "|" +
              std::string(request.headers.Find("Host").value_or("")));
}

class CurlTlsTest : public CurlFixture {
 protected:
  TlsConfig Trusting(const TestAuthority& authority) { return {.ca_pem = authority.ca_pem()}; }

  TlsConfig As(const TestIdentity& client) {
    TlsConfig tls = Trusting(authority_);
    tls.client_cert_pem = client.cert_pem;
    tls.client_key_pem = client.key_pem;
    return tls;
  }

  LocalServer& ServeAs(TestIdentity identity) {
    return ServeAnswers(Introduce, LocalServer::Tls{.identity = std::move(identity)});
  }

  LocalServer& ServeClientsOf(const TestAuthority& authority) {
    return ServeAnswers(Introduce, LocalServer::Tls{.identity = authority_.IssueServer(),
                                                    .client_ca_pem = authority.ca_pem()});
  }

  TestAuthority authority_;
};

TEST_F(CurlTlsTest, TrustsTheAuthorityItIsGiven) {
  auto& server = ServeAs(authority_.IssueServer());
  auto http = ClientOf(server, Trusting(authority_));
  const auto answer = Run(http->Send(Get("/")));
  ASSERT_TRUE(answer) << answer.error().message();
}

TEST_F(CurlTlsTest, AndNoOther) {
  auto& server = ServeAs(authority_.IssueServer());
  // The second has the name of the right one.
  const TlsConfig wrong[] = {Trusting(TestAuthority("other")), Trusting(TestAuthority()), {}};
  for (const TlsConfig& tls : wrong) {
    auto http = ClientOf(server, tls);
    for (const auto& answer : {Run(http->Send(Get("/"))), Run(http->Send(Post("/", "x")))}) {
      ASSERT_FALSE(answer);
      EXPECT_EQ(answer.error().kind(), ErrorKind::kInvalid);
      EXPECT_THAT(answer.error().message(),
                  HasSubstr("check the configured certificate authority"));
    }
  }
}

TEST_F(CurlTlsTest, UnlessToldNotToVerify) {
  auto& server = ServeAs(TestAuthority().IssueServer());
  auto http = ClientOf(server, {.insecure_skip_verify = true});
  EXPECT_TRUE(Run(http->Send(Get("/"))));
}

TEST_F(CurlTlsTest, ExpiredServerIsUnavailable) {
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

TEST_F(CurlTlsTest, ServerOfAnotherNameIsRefused) {
  auto& server = ServeAs(authority_.Issue({.common_name = "x", .dns_names = {"kubernetes"}}));
  auto http = ClientOf(server, Trusting(authority_));
  const auto answer = Run(http->Send(Get("/")));
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().kind(), ErrorKind::kInvalid);
  EXPECT_THAT(answer.error().message(), HasSubstr("set the TLS server name"));
}

TEST_F(CurlTlsTest, ServerNameIsAskedForAndVerifiedInsteadOfTheHost) {
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

  // Streams too.
  auto stream = Run(http->Open(Get("/")));
  ASSERT_TRUE(stream) << stream.error().message();
  EXPECT_EQ(Run(stream->body->Read()), "|kubernetes|" + server.address());
}

TEST_F(CurlTlsTest, WrongServerNameIsRefusedEvenIfTheHostWouldDo) {
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

TEST_F(CurlTlsTest, ServerNameMayBeAnAddress) {
  auto& server = ServeAs(authority_.Issue({.common_name = "x", .addresses = {"10.0.0.1"}}));
  TlsConfig tls = Trusting(authority_);
  tls.server_name = "10.0.0.1";
  auto http = ClientOf(server, tls);
  const auto answer = Run(http->Send(Get("/")));
  ASSERT_TRUE(answer) << answer.error().message();
}

TEST_F(CurlTlsTest, ShowsItsCertificate) {
  auto& server = ServeClientsOf(authority_);
  auto http = ClientOf(server, As(authority_.IssueClient("someone")));
  const auto answer = Run(http->Send(Get("/")));
  ASSERT_TRUE(answer) << answer.error().message();
  EXPECT_THAT(answer->body, testing::StartsWith("someone|"));
}

TEST_F(CurlTlsTest, RefusedCertificateIsUnauthenticated) {
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

TEST_F(CurlTlsTest, ANewCertificateIsShownOnNewConnections) {
  auto& server = ServeClientsOf(authority_);
  auto http = ClientOf(server, As(authority_.IssueClient("first")));
  EXPECT_THAT(Run(http->Send(Get("/")))->body, testing::StartsWith("first|"));
  auto stream = Run(http->Open(Get("/")));
  ASSERT_TRUE(stream);

  ASSERT_TRUE(http->SetTls(As(authority_.IssueClient("second"))));
  EXPECT_THAT(Run(http->Send(Get("/")))->body, testing::StartsWith("second|"));
  EXPECT_EQ(server.accepted(), 3);
  EXPECT_EQ(http->connections_opened(), 3U);
  // What was begun before ends as it began.
  EXPECT_THAT(*Run(stream->body->Read()), testing::StartsWith("first|"));
}

TEST_F(CurlTlsTest, TheSameCertificateChangesNothing) {
  auto& server = ServeClientsOf(authority_);
  const TlsConfig tls = As(authority_.IssueClient("someone"));
  auto http = ClientOf(server, tls);
  ASSERT_TRUE(Run(http->Send(Get("/"))));
  ASSERT_TRUE(http->SetTls(tls));
  ASSERT_TRUE(Run(http->Send(Get("/"))));
  EXPECT_EQ(server.accepted(), 1);
}

TEST_F(CurlTlsTest, ABadCertificateIsNotTaken) {
  auto& server = ServeClientsOf(authority_);
  auto http = ClientOf(server, As(authority_.IssueClient("first")));
  TlsConfig bad = As(authority_.IssueClient("second"));
  bad.client_key_pem = authority_.IssueClient("other").key_pem;
  EXPECT_EQ(http->SetTls(bad).error().kind(), ErrorKind::kInvalid);
  EXPECT_THAT(Run(http->Send(Get("/")))->body, testing::StartsWith("first|"));
  const auto created =
      CurlHttp::Create(executor(), clock_, {.base_url = server.url(), .tls = bad, .proxy = ""});
  EXPECT_EQ(created.error().kind(), ErrorKind::kInvalid);
}

TEST_F(CurlTlsTest, GoesAwayWithOldAndNewConnectionsInUse) {
  auto& server = ServeClientsOf(authority_);
  auto http = ClientOf(server, As(authority_.IssueClient("first")));
  auto old_stream = Run(http->Open(Get("/")));
  ASSERT_TRUE(http->SetTls(As(authority_.IssueClient("second"))));
  auto new_stream = Run(http->Open(Get("/")));
  http.reset();
  // What had come already may still be read.
  for (auto* stream : {&*old_stream, &*new_stream}) {
    auto piece = Run(stream->body->Read());
    if (piece) piece = Run(stream->body->Read());
    EXPECT_TRUE(!piece || piece->empty());
  }
}

TEST_F(CurlTlsTest, SpeaksHttp11AlsoWhereTheServerPrefersHttp2) {
  auto& server = ServeAnswers(
      [](const HttpRequest& request, const LocalConnection& connection) {
        return Text(connection.protocol() + " " + std::to_string(request.body.size()));
      },
      LocalServer::Tls{.identity = authority_.IssueServer(), .protocols = {"h2", "http/1.1"}});
  auto http = ClientOf(server, Trusting(authority_));
  const auto answer = Run(http->Send(Post("/", std::string(5'000'000, 'x'))));
  ASSERT_TRUE(answer) << answer.error().message();
  EXPECT_EQ(answer->body, "http/1.1 5000000");
}

}  // namespace
}  // namespace millwright::net
