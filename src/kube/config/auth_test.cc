#include "kube/config/auth.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/virtual/world.h"
#include "kube/config/fake_surroundings.h"
#include "net/testing/test_certificates.h"

namespace millwright::kube {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

class AuthSourceTest : public testing::Test {
 protected:
  AuthSource::Ports Ports() {
    return {.executor = process_.executor(), .clock = clock_, .surroundings = files_.With()};
  }

  void Start(const ClientConfig& config) {
    auto created = AuthSource::Create(config, Ports());
    ASSERT_TRUE(created) << created.error().message();
    source_ = *std::move(created);
  }

  std::string CreateError(const ClientConfig& config) {
    const auto created = AuthSource::Create(config, Ports());
    return created ? "" : created.error().message();
  }

  AuthState Current() {
    const auto state = RunTask(process_, source_->Current());
    EXPECT_TRUE(state && *state);
    return state->value_or(AuthState{});
  }

  std::string Authorization() {
    const AuthState state = Current();
    return state.authorization == nullptr ? "" : state.authorization->Reveal();
  }

  VirtualWorld world_;
  VirtualProcess process_{world_};
  VirtualClock clock_{process_};
  FakeFiles files_;
  std::unique_ptr<AuthSource> source_;
};

TEST_F(AuthSourceTest, NobodySendsNothing) {
  Start({.server = "https://h"});
  EXPECT_EQ(Authorization(), "");
  EXPECT_FALSE(source_->CanChange());
  EXPECT_EQ(source_->state().tls_generation, 1U);
}

TEST_F(AuthSourceTest, BuildsTheHeaderExactly) {
  Start({.credentials = BearerToken{SecretText("abc \r\n")}});
  EXPECT_EQ(Authorization(), "Bearer abc");
  EXPECT_FALSE(source_->CanChange());
  Start({.credentials = BasicAuth{.username = "me", .password = SecretText("p:w")}});
  EXPECT_EQ(Authorization(), "Basic bWU6cDp3");
}

TEST_F(AuthSourceTest, ReadsATokenFileAgainOnceItChanged) {
  files_.Write("/t", "one\n");
  Start({.credentials = TokenFile{.path = "/t"}});
  EXPECT_EQ(Authorization(), "Bearer one");
  const std::uint64_t generation = source_->state().generation;

  files_.Write("/t", "two\n");
  world_.Advance(9s);
  EXPECT_EQ(Authorization(), "Bearer one");
  world_.Advance(1s);
  EXPECT_EQ(Authorization(), "Bearer two");
  EXPECT_EQ(source_->state().generation, generation + 1);
  EXPECT_EQ(source_->state().tls_generation, 1U) << "TLS has nothing to do with it";
}

TEST_F(AuthSourceTest, LooksAtFilesSeldomAndReadsThemOnlyIfTheyChanged) {
  files_.Write("/t", "one");
  Start({.credentials = TokenFile{.path = "/t"}});
  const int reads = files_.reads();
  const int looks = files_.looks();
  for (int i = 0; i < 1000; ++i) Current();
  EXPECT_EQ(files_.looks(), looks);
  world_.Advance(10s);
  for (int i = 0; i < 1000; ++i) Current();
  EXPECT_EQ(files_.looks(), looks + 1);
  EXPECT_EQ(files_.reads(), reads);
}

TEST_F(AuthSourceTest, ReadsATokenFileAtOnceAfterARefusal) {
  files_.Write("/t", "one");
  Start({.credentials = TokenFile{.path = "/t"}});
  const AuthState used = Current();
  files_.Write("/t", "two");
  source_->Invalidate(used);
  EXPECT_EQ(Authorization(), "Bearer two");

  // A late refusal of the old token says nothing about the new one.
  const int reads = files_.reads();
  source_->Invalidate(used);
  EXPECT_EQ(Authorization(), "Bearer two");
  EXPECT_EQ(files_.reads(), reads);
}

TEST_F(AuthSourceTest, KeepsTheTokenWhileItsFileIsAwayOrEmpty) {
  files_.Write("/t", "one");
  Start({.credentials = TokenFile{.path = "/t"}});
  files_.Remove("/t");
  world_.Advance(10s);
  EXPECT_EQ(Authorization(), "Bearer one");
  ASSERT_TRUE(source_->problem());
  EXPECT_THAT(source_->problem()->message(), HasSubstr("cannot read the token /t"));
  files_.Write("/t", "\n");
  world_.Advance(10s);
  EXPECT_EQ(Authorization(), "Bearer one");
  ASSERT_TRUE(source_->problem());
  EXPECT_EQ(source_->problem()->message(), "the token file /t is empty");
  files_.Write("/t", "two");
  world_.Advance(10s);
  EXPECT_EQ(Authorization(), "Bearer two");
  EXPECT_FALSE(source_->problem());
}

TEST_F(AuthSourceTest, ATokenBesidesItsFileIsOnlyForTheBeginning) {
  Start({.credentials = TokenFile{.path = "/t", .fallback = SecretText("first")}});
  EXPECT_EQ(Authorization(), "Bearer first");
  files_.Write("/t", "second");
  world_.Advance(10s);
  EXPECT_EQ(Authorization(), "Bearer second");
}

TEST_F(AuthSourceTest, NamesTheFileThatIsMissing) {
  EXPECT_EQ(
      CreateError({.credentials = TokenFile{.path = "/t"}}),
      "cannot read the token /t: No such file or directory; check the path and who may read it");
  files_.Write("/t", " ");
  EXPECT_EQ(CreateError({.credentials = TokenFile{.path = "/t"}}), "the token file /t is empty");
  EXPECT_THAT(CreateError({.tls = {.ca = {.file = "/ca"}}}),
              HasSubstr("the certificate authority /ca"));
  files_.Forbid("/key");
  EXPECT_THAT(CreateError({.tls = {.client_cert = {.pem = "x"}, .client_key = {.file = "/key"}}}),
              HasSubstr("the client key /key: Permission denied"));
}

TEST_F(AuthSourceTest, ACertificateTakesEffectOnceItsKeyIsThereToo) {
  net::TestAuthority authority;
  const net::TestIdentity before = authority.IssueClient("before");
  const net::TestIdentity after = authority.IssueClient("after");
  files_.Write("/ca", authority.ca_pem());
  files_.Write("/cert", before.cert_pem);
  files_.Write("/key", before.key_pem.Reveal());
  Start({.tls = {.ca = {.file = "/ca"},
                 .client_cert = {.file = "/cert"},
                 .client_key = {.file = "/key"}}});
  EXPECT_TRUE(source_->CanChange());
  EXPECT_EQ(Current().tls->client_cert_pem, before.cert_pem);
  EXPECT_EQ(Current().tls->ca_pem, authority.ca_pem());

  files_.Write("/cert", after.cert_pem);
  world_.Advance(10s);
  EXPECT_EQ(Current().tls->client_cert_pem, before.cert_pem) << "the key does not fit yet";
  ASSERT_TRUE(source_->problem());
  EXPECT_THAT(source_->problem()->message(),
              HasSubstr("does not belong to the client certificate"));
  EXPECT_EQ(Current().tls_generation, 1U);

  files_.Write("/key", after.key_pem.Reveal());
  world_.Advance(10s);
  EXPECT_EQ(Current().tls->client_cert_pem, after.cert_pem);
  EXPECT_EQ(Current().tls->client_key_pem, after.key_pem);
  EXPECT_EQ(Current().tls_generation, 2U);

  files_.Write("/key", after.key_pem.Reveal());
  world_.Advance(10s);
  EXPECT_EQ(Current().tls_generation, 2U) << "another file of the same content changes nothing";
}

TEST_F(AuthSourceTest, AuthoritiesRotate) {
  const net::TestAuthority one("one");
  const net::TestAuthority two("two");
  files_.Write("/ca", one.ca_pem());
  Start({.tls = {.ca = {.file = "/ca"}, .server_name = "n"}});
  files_.Write("/ca", "not PEM");
  world_.Advance(10s);
  EXPECT_EQ(Current().tls->ca_pem, one.ca_pem());
  files_.Write("/ca", two.ca_pem());
  world_.Advance(10s);
  EXPECT_EQ(Current().tls->ca_pem, two.ca_pem());
  EXPECT_EQ(Current().tls->server_name, "n");
}

}  // namespace
}  // namespace millwright::kube
