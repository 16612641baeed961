#include "kube/config/authenticated_http.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/virtual/world.h"
#include "kube/config/fake_surroundings.h"
#include "net/testing/scripted_http.h"
#include "net/testing/test_certificates.h"

namespace millwright::kube {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

net::HttpRequest Get(std::string target) {
  net::HttpRequest request;
  request.target = std::move(target);
  return request;
}

class AuthenticatedHttpTest : public testing::Test {
 protected:
  void Start(const ClientConfig& config, ExecSource::Run run = {}) {
    auto created = AuthSource::Create(config, {.executor = process_.executor(),
                                               .clock = clock_,
                                               .surroundings = files_.With(),
                                               .run = std::move(run)});
    ASSERT_TRUE(created) << created.error().message();
    auth_ = *std::move(created);
    http_ = std::make_unique<AuthenticatedHttp>(inner_, *auth_, config.impersonation,
                                                [this](const net::TlsConfig& tls) -> Result<void> {
                                                  tls_.push_back(tls);
                                                  return tls_result_;
                                                });
  }

  Result<net::HttpResponse> Send(net::HttpRequest request) {
    return *RunTask(process_, http_->Send(std::move(request)));
  }
  Result<net::HttpResponse> Send() { return Send(Get("/x")); }

  // The Authorization of each request that left.
  std::vector<std::string> Sent() const {
    std::vector<std::string> sent;
    for (const auto& request : inner_.requests()) {
      sent.emplace_back(request.headers.Find("Authorization").value_or("none"));
    }
    return sent;
  }

  VirtualWorld world_;
  VirtualProcess process_{world_};
  VirtualClock clock_{process_};
  FakeFiles files_;
  net::ScriptedHttp inner_{process_.executor()};
  std::vector<net::TlsConfig> tls_;
  Result<void> tls_result_;
  std::unique_ptr<AuthSource> auth_;
  std::unique_ptr<AuthenticatedHttp> http_;
};

TEST_F(AuthenticatedHttpTest, SignsEachRequest) {
  Start({.credentials = BearerToken{SecretText("abc\n")}});
  inner_.Answer("GET /x", 200, "ok");
  EXPECT_EQ(Send()->body, "ok");
  EXPECT_EQ(inner_.requests()[0].headers, (net::Headers{{"Authorization", "Bearer abc"}}));
}

TEST_F(AuthenticatedHttpTest, ActsAsSomebodyElse) {
  Start({.impersonation = {.user = "jane",
                           .uid = "7",
                           .groups = {"a", "b"},
                           .extra = {{"acme.com/scope%", {"x", "y"}}}}});
  inner_.Answer("GET /x", 200, "");
  ASSERT_TRUE(Send());
  EXPECT_EQ(inner_.requests()[0].headers,
            (net::Headers{{"Impersonate-User", "jane"},
                          {"Impersonate-Uid", "7"},
                          {"Impersonate-Group", "a"},
                          {"Impersonate-Group", "b"},
                          {"Impersonate-Extra-acme.com%2Fscope%25", "x"},
                          {"Impersonate-Extra-acme.com%2Fscope%25", "y"}}));
}

TEST_F(AuthenticatedHttpTest, LeavesTheCallersFieldsAlone) {
  files_.Write("/t", "one");
  Start({.credentials = TokenFile{.path = "/t"}, .impersonation = {.user = "jane"}});
  inner_.Answer("GET /x", 401, "");
  files_.Write("/t", "two");
  const net::Headers own = {{"Authorization", "Bearer own"}, {"Impersonate-User", "joe"}};
  net::HttpRequest request = Get("/x");
  request.headers = own;
  EXPECT_EQ(Send(request)->status, 401);
  EXPECT_EQ(inner_.requests()[0].headers, own);
}

TEST_F(AuthenticatedHttpTest, ARefusedTokenIsRenewedAndTheRequestSentAgain) {
  files_.Write("/t", "one");
  Start({.credentials = TokenFile{.path = "/t"}});
  files_.Write("/t", "two");
  inner_.Answer("POST /x", 401, "");
  inner_.Answer("POST /x", 201, "made");
  net::HttpRequest request = Get("/x");
  request.method = "POST";
  request.body = "b";
  EXPECT_EQ(Send(request)->body, "made");
  EXPECT_THAT(Sent(), ElementsAre("Bearer one", "Bearer two"));
  EXPECT_EQ(inner_.requests()[1].body, "b");
}

TEST_F(AuthenticatedHttpTest, WithoutANewTokenTheRefusalStands) {
  files_.Write("/t", "one");
  Start({.credentials = TokenFile{.path = "/t"}});
  inner_.Answer("GET /x", 401, "who?");
  EXPECT_EQ(Send()->body, "who?");
  EXPECT_THAT(Sent(), ElementsAre("Bearer one"));
}

TEST_F(AuthenticatedHttpTest, AFixedTokenIsNotTriedTwice) {
  Start({.credentials = BearerToken{SecretText("abc")}});
  inner_.Answer("GET /x", 401, "");
  EXPECT_EQ(Send()->status, 401);
  EXPECT_EQ(inner_.requests().size(), 1U);
}

TEST_F(AuthenticatedHttpTest, TriesOnlyOnceMore) {
  files_.Write("/t", "one");
  Start({.credentials = TokenFile{.path = "/t"}});
  files_.Write("/t", "two");
  inner_.Answer("GET /x", 401, "");
  inner_.Answer("GET /x", 401, "again");
  EXPECT_EQ(Send()->body, "again");
  EXPECT_EQ(inner_.requests().size(), 2U);
}

TEST_F(AuthenticatedHttpTest, OtherAnswersAndErrorsPass) {
  files_.Write("/t", "one");
  Start({.credentials = TokenFile{.path = "/t"}});
  files_.Write("/t", "two");
  inner_.Answer("GET /x", 403, "");
  EXPECT_EQ(Send()->status, 403);
  inner_.Answer("GET /x", Error(ErrorKind::kUnavailable, "down"));
  EXPECT_EQ(Send().error().kind(), ErrorKind::kUnavailable);
  EXPECT_THAT(Sent(), ElementsAre("Bearer one", "Bearer one"));
}

TEST_F(AuthenticatedHttpTest, StreamsAreSignedAndRetriedLikewise) {
  files_.Write("/t", "one");
  Start({.credentials = TokenFile{.path = "/t"}});
  files_.Write("/t", "two");
  inner_.Answer("GET /w", 401, "");
  inner_.Stream("GET /w");
  const auto stream = RunTask(process_, http_->Open(Get("/w")));
  ASSERT_TRUE(stream && *stream);
  EXPECT_EQ((*stream)->status, 200);
  EXPECT_THAT(Sent(), ElementsAre("Bearer one", "Bearer two"));
}

TEST_F(AuthenticatedHttpTest, ANewCertificateIsPutInPlaceFirst) {
  net::TestAuthority authority;
  const net::TestIdentity one = authority.IssueClient("one");
  const net::TestIdentity two = authority.IssueClient("two");
  files_.Write("/c", one.cert_pem);
  files_.Write("/k", one.key_pem.Reveal());
  Start({.tls = {.client_cert = {.file = "/c"}, .client_key = {.file = "/k"}}});
  inner_.Answer("GET /x", 200, "");
  ASSERT_TRUE(Send());
  EXPECT_TRUE(tls_.empty()) << "the port has the first one from the start";

  files_.Write("/c", two.cert_pem);
  files_.Write("/k", two.key_pem.Reveal());
  inner_.Answer("GET /x", Error(ErrorKind::kUnauthenticated, "certificate expired"));
  inner_.Answer("GET /x", 200, "");
  EXPECT_EQ(Send()->status, 200);
  ASSERT_EQ(tls_.size(), 1U);
  EXPECT_EQ(tls_[0].client_cert_pem, two.cert_pem);
  inner_.Answer("GET /x", 200, "");
  ASSERT_TRUE(Send());
  EXPECT_EQ(tls_.size(), 1U);
}

Task<Result<ChildResult>> PrintCertificate(ChildCommand) {
  co_return ChildResult{
      .out =
          SecretText(R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1",)"
                     R"("status":{"clientCertificateData":"c","clientKeyData":"k"}})")};
}

TEST_F(AuthenticatedHttpTest, ACertificateThatCannotBeUsedIsTheRequestsError) {
  Start({.credentials =
             ExecPlugin{.command = "get", .api_version = "client.authentication.k8s.io/v1"}},
        PrintCertificate);
  tls_result_ = Fail(ErrorKind::kInvalid, "not PEM");
  EXPECT_EQ(Send().error().message(), "using the new client certificate: not PEM");
  EXPECT_TRUE(inner_.requests().empty());
}

Task<Result<ChildResult>> FailToRun(ChildCommand) {
  co_return Fail(ErrorKind::kUnavailable, "it broke");
}

TEST_F(AuthenticatedHttpTest, WithoutCredentialsNothingIsSent) {
  Start({.credentials =
             ExecPlugin{.command = "get", .api_version = "client.authentication.k8s.io/v1"}},
        FailToRun);
  EXPECT_EQ(Send().error().message(), "getting credentials from the exec plugin get: it broke");
  EXPECT_TRUE(inner_.requests().empty());
}

}  // namespace
}  // namespace millwright::kube
