#include "apiserver/auth/authn/authenticator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/rest/failures.h"
#include "apiserver/store/virtual_store.h"

namespace millwright::apiserver {
namespace {

using testing::ElementsAre;

class AuthenticatorTest : public testing::Test {
 protected:
  Result<User> WithToken(const std::string& token) {
    return authenticator_.Authenticate({}, {.headers = {{"Authorization", "Bearer " + token}}});
  }

  VirtualWorld world_;
  Platter platter_{"test"};
  VirtualStore store_{world_, platter_};
  Registry registry_;
  SeededRandom random_{1};
  Pki pki_ = MakePki({}, world_.Now(), random_);
  Authenticator authenticator_{{.store = *store_,
                                .registry = registry_,
                                .clock = store_.clock(),
                                .pki = pki_,
                                .admin_token = SecretText("open-sesame")}};
};

TEST_F(AuthenticatorTest, KnowsTheHolderOfACertificate) {
  const net::PeerIdentity peer{
      .verified = true, .common_name = "ann", .organizations = {"makers", "menders"}};
  const auto user = authenticator_.Authenticate(peer, {});
  ASSERT_TRUE(user);
  EXPECT_EQ(user->name, "ann");
  EXPECT_THAT(user->groups, ElementsAre("makers", "menders", "system:authenticated"));
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

}  // namespace
}  // namespace millwright::apiserver
