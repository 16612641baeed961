#include "net/tls_config.h"

#include <gtest/gtest.h>

#include "net/testing/test_certificates.h"

namespace millwright::net {
namespace {

using std::chrono::sys_days;
using std::chrono::year;

const WallTime kNow(sys_days(year(2026) / 1 / 1));

struct Case {
  const char* name;
  TlsConfig config;
  std::string want;  // a part of the message; empty: no error
};

TlsConfig Client(const std::string& cert, const SecretText& key) {
  TlsConfig config;
  config.client_cert_pem = cert;
  config.client_key_pem = key;
  return config;
}

TlsConfig Trusting(std::string pem) {
  TlsConfig config;
  config.ca_pem = std::move(pem);
  return config;
}

std::vector<Case> Cases() {
  TestAuthority authority;
  const auto client = authority.IssueClient("someone");
  const auto other = authority.IssueClient("other");
  const auto past =
      authority.Issue({.common_name = "past", .ends = WallTime(sys_days(year(2025) / 3 / 1))});
  const auto future =
      authority.Issue({.common_name = "future", .begins = WallTime(sys_days(year(2027) / 3 / 1))});
  const std::string& ca = authority.ca_pem();
  TlsConfig insecure = Trusting(ca);
  insecure.insecure_skip_verify = true;
  const SecretText encrypted(
      "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMAAA\n-----END ENCRYPTED PRIVATE KEY-----\n");
  return {
      {"NothingIsFine", {}, ""},
      {"AnAuthorityIsFine", Trusting(ca), ""},
      {"SeveralAuthoritiesAreFine", Trusting("# ours\n" + ca + ca), ""},
      {"AuthorityMustBePem", Trusting("not PEM"), "certificate authority: there is no PEM"},
      {"AuthorityMustBeWhole", Trusting(ca.substr(0, 100)), "certificate authority: damaged"},
      {"EveryAuthorityMustBeWhole", Trusting(ca + ca.substr(0, 100)), "authority: damaged"},
      {"AuthorityIsOfNoUseWhenNotVerifying", insecure, "verification is turned off"},
      {"AClientWithItsKeyIsFine", Client(client.cert_pem, client.key_pem), ""},
      {"AChainIsFine", Client(client.cert_pem + ca, client.key_pem), ""},
      {"ClientNeedsItsKey", Client(client.cert_pem, {}), "client certificate: its key is missing"},
      {"KeyNeedsItsCertificate", Client("", client.key_pem), "client key: its certificate is"},
      {"ClientMustBePem", Client("junk", client.key_pem), "client certificate: there is no PEM"},
      {"KeyMustBePem", Client(client.cert_pem, SecretText("junk")), "client key: it is not a PEM"},
      {"KeyMustNotNeedAPassword", Client(client.cert_pem, encrypted),
       "client key: it is encrypted"},
      {"KeyMustMatch", Client(client.cert_pem, other.key_pem), "does not belong to"},
      {"ExpiredIsTold", Client(past.cert_pem, past.key_pem), "expired at 2025-03-01T00:00:00Z"},
      {"TooEarlyIsTold", Client(future.cert_pem, future.key_pem), "before 2027-03-01T00:00:00Z"},
  };
}

class TlsConfigTest : public testing::TestWithParam<Case> {};

TEST_P(TlsConfigTest, IsChecked) {
  const auto checked = CheckTlsConfig(GetParam().config, kNow);
  if (GetParam().want.empty()) {
    EXPECT_TRUE(checked) << checked.error().message();
    return;
  }
  ASSERT_FALSE(checked);
  const std::string_view name = GetParam().name;
  const bool about_time = name.starts_with("Expired") || name.starts_with("TooEarly");
  EXPECT_EQ(checked.error().kind(), about_time ? ErrorKind::kUnauthenticated : ErrorKind::kInvalid);
  EXPECT_TRUE(checked.error().message().contains(GetParam().want)) << checked.error().message();
  EXPECT_FALSE(checked.error().message().contains("BEGIN"));
}

INSTANTIATE_TEST_SUITE_P(All, TlsConfigTest, testing::ValuesIn(Cases()),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace millwright::net
