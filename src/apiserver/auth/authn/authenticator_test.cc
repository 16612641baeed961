#include "apiserver/auth/authn/authenticator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/rest/failures.h"
#include "apiserver/store/virtual_store.h"
#include "base/base64.h"

namespace millwright::apiserver {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class AuthenticatorTest : public testing::Test {
 protected:
  AuthenticatorTest() {
    for (const char* plural : {"secrets", "serviceaccounts", "pods", "nodes"}) {
      registry_.Add(
          std::make_shared<Resource>(Resource{.kind = {"", "v1", plural},
                                              .plural = plural,
                                              .singular = plural,
                                              .list_kind = plural,
                                              .namespaced = std::string_view(plural) != "nodes",
                                              .storage_version = "v1"}));
    }
    store_.Create("/core/serviceaccounts/n/robot", R"({"metadata":{"uid":"u1"}})").value();
  }

  TokenClaims Claims() {
    return {.issuer = {},
            .audiences = DefaultAudiences(),
            .id = "7",
            .issued = world_.Now(),
            .begins = world_.Now(),
            .ends = world_.Now() + std::chrono::hours(1),
            .namespace_ = "n",
            .account = {"robot", "u1"}};
  }
  std::string Token(const TokenClaims& claims) { return authenticator_.tokens().Sign(claims); }
  // Why the token of these claims is refused; empty if it is not.
  std::string Problem(const TokenClaims& claims) {
    const auto identity = authenticator_.AuthenticateToken(Token(claims), DefaultAudiences());
    return identity ? "" : identity.error().message();
  }

  Result<User> WithToken(const std::string& token) {
    return authenticator_.Authenticate({}, {.headers = {{"Authorization", "Bearer " + token}}});
  }

  VirtualWorld world_;
  Platter platter_{"test"};
  VirtualStore store_{world_, platter_};
  Registry registry_;
  SeededRandom random_{1};
  Pki pki_ = MakePki({}, world_.Now(), random_);
  Authenticator authenticator_{
      {.store = *store_,
       .registry = registry_,
       .clock = store_.clock(),
       .pki = pki_,
       .static_tokens = {{SecretText("open-sesame"),
                          {.name = "millwright-admin", .groups = {"system:masters"}}}}}};
};

TEST_F(AuthenticatorTest, KnowsTheHolderOfACertificate) {
  const net::PeerIdentity peer{.verified = true,
                               .common_name = "ann",
                               .organizations = {"makers", "menders"},
                               .fingerprint = "0a"};
  const auto user = authenticator_.Authenticate(peer, {});
  ASSERT_TRUE(user);
  EXPECT_EQ(user->name, "ann");
  EXPECT_THAT(user->groups, ElementsAre("makers", "menders", "system:authenticated"));
  EXPECT_THAT(user->extra.at("authentication.kubernetes.io/credential-id"),
              ElementsAre("X509SHA256=0a"));
}

TEST_F(AuthenticatorTest, BelievesNoUnverifiedCertificate) {
  EXPECT_FALSE(authenticator_.Authenticate({.common_name = "ann"}, {}));
  EXPECT_FALSE(authenticator_.Authenticate({.verified = true}, {}));
}

TEST_F(AuthenticatorTest, LetsNobodyInAnonymously) {
  const auto nobody = authenticator_.Authenticate({}, {});
  ASSERT_FALSE(nobody);
  const kube::Status status = StatusOf(nobody.error());
  EXPECT_EQ(status.code, 401);
  EXPECT_EQ(status.reason, "Unauthorized");
  EXPECT_EQ(status.message, "Unauthorized");
}

TEST_F(AuthenticatorTest, KnowsTheAdminsToken) {
  Authenticator without{
      {.store = *store_, .registry = registry_, .clock = store_.clock(), .pki = pki_}};
  EXPECT_FALSE(without.Authenticate({}, {.headers = {{"Authorization", "Bearer "}}}));
  EXPECT_FALSE(WithToken("open"));
  const auto admin = WithToken("open-sesame");
  ASSERT_TRUE(admin);
  EXPECT_THAT(admin->groups, ElementsAre("system:masters", "system:authenticated"));
}

TEST_F(AuthenticatorTest, KnowsServiceAccountsByTheirTokens) {
  const auto user = WithToken(Token(Claims()));
  ASSERT_TRUE(user);
  EXPECT_EQ(user->name, "system:serviceaccount:n:robot");
  EXPECT_EQ(user->uid, "u1");
  EXPECT_THAT(user->groups, ElementsAre("system:serviceaccounts", "system:serviceaccounts:n",
                                        "system:authenticated"));
  EXPECT_THAT(user->extra.at("authentication.kubernetes.io/credential-id"), ElementsAre("JTI=7"));
}

TEST_F(AuthenticatorTest, RefusesTokensThatHoldNoLonger) {
  const std::string token = Token(Claims());
  ASSERT_TRUE(WithToken(token));
  world_.Advance(std::chrono::hours(2));
  EXPECT_EQ(StatusOf(WithToken(token).error()).message, "Unauthorized");
  TokenClaims claims = Claims();
  claims.audiences = {"vault"};
  EXPECT_THAT(Problem(claims), HasSubstr("token audiences [\"vault\"] is invalid"));
  claims = Claims();
  claims.account.uid = "u0";
  EXPECT_EQ(Problem(claims), "service account UID (u1) does not match claim (u0)");
  claims.account = {"ghost", "u1"};
  EXPECT_EQ(Problem(claims), "serviceaccounts \"ghost\" not found");
  ASSERT_TRUE(store_.Delete("/core/serviceaccounts/n/robot"));
  EXPECT_NE(Problem(Claims()), "");
}

TEST_F(AuthenticatorTest, RefusesTokensOfAnotherAuthority) {
  TokenClaims claims = Claims();
  const TokenAuthority other(PrivateKey::Generate());
  EXPECT_FALSE(WithToken(other.Sign(claims)));
}

TEST_F(AuthenticatorTest, TokensGoWithWhatTheyAreBoundTo) {
  TokenClaims claims = Claims();
  claims.pod = {"p", "u2"};
  claims.node = {"w", "u3"};
  EXPECT_EQ(Problem(claims), "service account token has been invalidated");
  ASSERT_TRUE(store_.Create("/core/pods/n/p", R"({"metadata":{"uid":"u2"}})"));
  EXPECT_EQ(Problem(claims), "");  // the node is only told
  const auto user = WithToken(Token(claims));
  EXPECT_THAT(user->extra.at("authentication.kubernetes.io/node-name"), ElementsAre("w"));
  claims.pod.reset();
  EXPECT_EQ(Problem(claims), "service account token has been invalidated");
  ASSERT_TRUE(store_.Create("/core/nodes/w", R"({"metadata":{"uid":"u4"}})"));
  EXPECT_EQ(Problem(claims), "node UID (u4) does not match service account node ref claim (u3)");
  ASSERT_TRUE(
      store_.Update("/core/pods/n/p", {},
                    R"({"metadata":{"uid":"u2","deletionTimestamp":"2025-12-31T00:00:00Z"}})"));
  claims.pod = {"p", "u2"};
  EXPECT_EQ(Problem(claims), "service account token has been invalidated");
}

TEST_F(AuthenticatorTest, KnowsBootstrapTokens) {
  EXPECT_FALSE(WithToken("abcdef.0123456789abcdef"));
  const std::string secret =
      R"({"type":"bootstrap.kubernetes.io/token","data":{"token-id":")" + EncodeBase64("abcdef") +
      R"(","token-secret":")" + EncodeBase64("0123456789abcdef") +
      R"(","usage-bootstrap-authentication":")" + EncodeBase64("true") + R"("}})";
  ASSERT_TRUE(store_.Create("/core/secrets/kube-system/bootstrap-token-abcdef", secret));
  const auto user = WithToken("abcdef.0123456789abcdef");
  ASSERT_TRUE(user);
  EXPECT_EQ(user->name, "system:bootstrap:abcdef");
  EXPECT_THAT(user->groups, ElementsAre("system:bootstrappers", "system:authenticated"));
  EXPECT_FALSE(WithToken("abcdef.0123456789abcdee"));
}

TEST_F(AuthenticatorTest, TellsReviewersForWhomATokenIs) {
  TokenClaims claims = Claims();
  claims.audiences = {"vault", "bank"};
  const auto identity = authenticator_.AuthenticateToken(Token(claims), {"bank", "shop"});
  ASSERT_TRUE(identity);
  EXPECT_THAT(identity->audiences, ElementsAre("bank"));
  EXPECT_TRUE(authenticator_.AuthenticateToken("open-sesame", DefaultAudiences()));
  EXPECT_FALSE(authenticator_.AuthenticateToken("open-sesame", {"bank"}));
}

}  // namespace
}  // namespace millwright::apiserver
