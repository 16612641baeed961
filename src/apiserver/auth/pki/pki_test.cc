#include "apiserver/auth/pki/pki.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "apiserver/auth/pki/private_text.h"
#include "apiserver/store/temp_directory.h"
#include "net/server_identity.h"
#include "net/testing/manual_clock.h"

namespace millwright::apiserver {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;

constexpr WallTime kNow = WallTime(std::chrono::sys_days(std::chrono::year(2026) / 3 / 1));
constexpr Duration kDay = std::chrono::hours(24);

Certificate Read(const std::string& pem) { return Certificate::Parse(pem).value(); }

// As a TLS library would check it.
bool IsGoodFor(const std::string& leaf, const std::string& ca, int purpose, WallTime when) {
  const Certificate authority = Read(ca);
  const Certificate certificate = Read(leaf);
  const std::unique_ptr<X509_STORE, OpensslFree<X509_STORE_free>> store(X509_STORE_new());
  X509_STORE_add_cert(store.get(), authority.get());
  const std::unique_ptr<X509_STORE_CTX, OpensslFree<X509_STORE_CTX_free>> context(
      X509_STORE_CTX_new());
  X509_STORE_CTX_init(context.get(), store.get(), certificate.get(), nullptr);
  X509_STORE_CTX_set_purpose(context.get(), purpose);
  X509_STORE_CTX_set_time(
      context.get(), 0, std::chrono::floor<std::chrono::seconds>(when).time_since_epoch().count());
  return X509_verify_cert(context.get()) == 1;
}

mode_t ModeOf(const fs::path& path) {
  struct stat info{};
  stat(path.c_str(), &info);
  return info.st_mode & 0777U;
}

class PkiTest : public testing::Test {
 protected:
  Result<Pki> Load(std::string_view host = "mill") {
    return LoadOrCreatePki(directory_, ServerNames(host), clock_, random_);
  }

  TempDirectory temp_;
  fs::path directory_ = temp_.File("pki");
  net::ManualClock clock_;
  SeededRandom random_{1};
};

TEST(MakePkiTest, MakesAServerThatClientsTrust) {
  SeededRandom random(1);
  const Pki pki = MakePki(ServerNames("mill", "192.0.2.1"), kNow, random);
  EXPECT_TRUE(IsGoodFor(pki.server.certificate, pki.ca.certificate, X509_PURPOSE_SSL_SERVER, kNow));
  EXPECT_FALSE(
      IsGoodFor(pki.server.certificate, pki.ca.certificate, X509_PURPOSE_SSL_CLIENT, kNow));
  const auto names = net::NamesIn(*Read(pki.server.certificate).get());
  EXPECT_THAT(names.dns_names, IsSupersetOf({"localhost", "kubernetes.default.svc", "mill"}));
  EXPECT_THAT(names.ip_addresses, ElementsAre("127.0.0.1", "::1", "192.0.2.1"));
  EXPECT_EQ(pki.renew_at, kNow + kIdentityLife - kRenewBefore);
}

TEST(MakePkiTest, MakesAnAdminOfTheMasters) {
  SeededRandom random(1);
  const Pki pki = MakePki(ServerNames("mill"), kNow, random);
  EXPECT_TRUE(IsGoodFor(pki.admin.certificate, pki.ca.certificate, X509_PURPOSE_SSL_CLIENT, kNow));
  EXPECT_FALSE(IsGoodFor(pki.admin.certificate, pki.ca.certificate, X509_PURPOSE_SSL_SERVER, kNow));
  EXPECT_FALSE(IsGoodFor(pki.admin.certificate, pki.ca.certificate, X509_PURPOSE_SSL_CLIENT,
                         kNow + kIdentityLife + kDay));
  const auto names = net::NamesIn(*Read(pki.admin.certificate).get());
  EXPECT_EQ(names.common_name, "millwright-admin");
  EXPECT_THAT(names.organizations, ElementsAre("system:masters"));
}

TEST(ServerNamesTest, LeavesOutWhatIsNoName) {
  const AlternativeNames plain = ServerNames("");
  EXPECT_EQ(ServerNames("", "0.0.0.0"), plain);
  EXPECT_EQ(ServerNames("", "::"), plain);
  EXPECT_EQ(ServerNames("", "127.0.0.1"), plain);
  EXPECT_EQ(ServerNames("localhost", "localhost"), plain);
  EXPECT_THAT(ServerNames("", "a.example").dns_names, Contains("a.example"));
}

TEST_F(PkiTest, KeepsWhatItMade) {
  const auto first = Load();
  ASSERT_TRUE(first) << first.error().message();
  for (const char* name : {"ca.pem", "server.pem", "admin.pem", "service-account-key.pem"}) {
    EXPECT_EQ(ModeOf(directory_ / name), 0600u) << name;
  }
  EXPECT_EQ(ModeOf(directory_), 0700u);
  const auto second = Load();
  ASSERT_TRUE(second);
  EXPECT_EQ(second->ca, first->ca);
  EXPECT_EQ(second->server, first->server);
  EXPECT_EQ(second->admin, first->admin);
  EXPECT_EQ(second->token_key, first->token_key);
  EXPECT_EQ(second->renew_at, first->renew_at);
}

TEST_F(PkiTest, RenewsWhatIsNearItsEnd) {
  const auto first = Load().value();
  clock_.Advance(kIdentityLife - kRenewBefore - kDay);
  EXPECT_EQ(Load()->server, first.server);
  clock_.Advance(2 * kDay);
  const auto later = Load().value();
  EXPECT_NE(later.server, first.server);
  EXPECT_NE(later.admin, first.admin);
  EXPECT_EQ(later.ca, first.ca);
  EXPECT_EQ(later.token_key, first.token_key);
  EXPECT_GT(later.renew_at, first.renew_at);
}

TEST_F(PkiTest, RenewsTheAuthorityForThoseWhoTrustTheOldOne) {
  const auto first = Load().value();
  clock_.Advance(kAuthorityLife - kIdentityLife / 2);
  const auto later = Load().value();
  EXPECT_NE(later.ca.certificate, first.ca.certificate);
  EXPECT_EQ(later.ca.key, first.ca.key);
  for (const Pki* trusted : {&first, &later}) {
    EXPECT_TRUE(IsGoodFor(later.server.certificate, trusted->ca.certificate,
                          X509_PURPOSE_SSL_SERVER, clock_.Now()));
  }
}

TEST_F(PkiTest, MakesANewServerCertificateForANewName) {
  const auto first = Load("mill").value();
  const auto second = Load("forge").value();
  EXPECT_NE(second.server, first.server);
  EXPECT_EQ(second.admin, first.admin);
}

TEST_F(PkiTest, ReplacesABrokenServerCertificate) {
  const auto first = Load().value();
  std::ofstream(directory_ / "server.pem") << "half a certif";
  const auto second = Load();
  ASSERT_TRUE(second);
  EXPECT_TRUE(IsGoodFor(second->server.certificate, first.ca.certificate, X509_PURPOSE_SSL_SERVER,
                        clock_.Now()));
}

TEST_F(PkiTest, NeverReplacesABrokenAuthorityOrTokenKey) {
  for (const char* name : {"ca.pem", "service-account-key.pem"}) {
    ASSERT_TRUE(Load());
    std::ofstream(directory_ / name) << "broken";
    const auto again = Load();
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().kind(), ErrorKind::kInvalid);
    EXPECT_THAT(again.error().message(), HasSubstr(name));
    fs::remove(directory_ / name);
  }
}

TEST_F(PkiTest, RefusesAnAuthorityWithAnothersKey) {
  const auto pki = Load().value();
  ASSERT_TRUE(WritePrivateText(directory_ / "ca.pem", pki.ca.certificate + pki.admin.key.Reveal()));
  const auto again = Load();
  ASSERT_FALSE(again);
  EXPECT_THAT(again.error().message(), HasSubstr("the key is not that of the certificate"));
}

}  // namespace
}  // namespace millwright::apiserver
