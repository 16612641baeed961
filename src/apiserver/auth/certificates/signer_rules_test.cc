#include "apiserver/auth/certificates/signer_rules.h"

#include <gtest/gtest.h>

namespace millwright::apiserver {
namespace {

constexpr WallTime kNow = WallTime(std::chrono::seconds(1767225600));
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

const std::vector<std::string> kClient = {"digital signature", "key encipherment", "client auth"};
const std::vector<std::string> kServer = {"server auth", "digital signature"};

SigningRequest Node(AlternativeNames names = {}) {
  return {.common_name = "system:node:a", .organizations = {"system:nodes"}, .names = names};
}

TEST(SignerRulesTest, AreThoseOfKubernetes) {
  SigningRequest person{.common_name = "ann"};
  SigningRequest misnamed = Node();
  misnamed.common_name = "a";
  SigningRequest misnamed_server = Node({.dns_names = {"a"}});
  misnamed_server.common_name = "a";
  const struct {
    std::string_view signer;
    SigningRequest request;
    std::vector<std::string> usages;
    std::string problem;
  } cases[] = {
      {kClientSigner, person, kClient, ""},
      {kClientSigner, person, {"client auth"}, ""},
      {kClientSigner,
       person,
       {"digital signature"},
       "missing required usage for client certificate: client auth"},
      {kClientSigner,
       person,
       {"client auth", "server auth"},
       "invalid usage for client certificate: server auth"},
      {kKubeletClientSigner, Node(), kClient, ""},
      {kKubeletClientSigner, Node(), {"client auth", "digital signature"}, ""},
      {kKubeletClientSigner, person, kClient, "subject organization is not system:nodes"},
      {kKubeletClientSigner, misnamed, kClient,
       "subject common name does not begin with system:node:"},
      {kKubeletClientSigner, Node({.dns_names = {"a"}}), kClient,
       "DNS subjectAltNames are not allowed"},
      {kKubeletClientSigner, Node({.ip_addresses = {"1.2.3.4"}}), kClient,
       "IP subjectAltNames are not allowed"},
      {kKubeletClientSigner, Node({.emails = {"a"}}), kClient,
       "Email subjectAltNames are not allowed"},
      {kKubeletClientSigner, Node({.uris = {"a"}}), kClient, "URI subjectAltNames are not allowed"},
      {kKubeletClientSigner, Node(), kServer,
       "usages did not match [client auth digital signature key encipherment]"},
      {kKubeletServingSigner, Node({.dns_names = {"a"}}), kServer, ""},
      {kKubeletServingSigner, Node({.ip_addresses = {"1.2.3.4"}}), kServer, ""},
      {kKubeletServingSigner, Node(), kServer, "DNS or IP subjectAltName is required"},
      {kKubeletServingSigner, person, kServer, "subject organization is not system:nodes"},
      {kKubeletServingSigner, misnamed_server, kServer,
       "subject common name does not begin with system:node:"},
      {kKubeletServingSigner, Node({.dns_names = {"a"}, .uris = {"a"}}), kServer,
       "URI subjectAltNames are not allowed"},
      {kKubeletServingSigner, Node({.dns_names = {"a"}, .emails = {"a"}}), kServer,
       "Email subjectAltNames are not allowed"},
      {kKubeletServingSigner, Node({.dns_names = {"a"}}), kClient,
       "usages did not match [digital signature key encipherment server auth]"},
      {"example.com/other", person, kClient, "this server does not sign for example.com/other"},
  };
  for (const auto& [signer, request, usages, problem] : cases) {
    const auto checked = CheckForSigner(signer, request, usages);
    EXPECT_EQ(checked ? "" : checked.error().message(), problem);
  }
}

TEST(SignerRulesTest, LimitHowLongACertificateHolds) {
  const struct {
    std::int64_t asked;
    Duration ends;
  } cases[] = {
      {0, hours(24 * 365) - minutes(5)},
      {600, minutes(10)},
      {60, minutes(10)},
      {-5, minutes(10)},
      {8 * 3600, hours(8) - minutes(5)},
      {8 * 3600 - 1, hours(8) - seconds(1)},
      {std::int64_t{1} << 40U, hours(24 * 365) - minutes(5)},
  };
  for (const auto& [asked, ends] : cases) {
    const Validity validity = ValidityOf(kNow, asked);
    EXPECT_EQ(validity.begins, kNow - minutes(5));
    EXPECT_EQ(validity.ends, kNow + ends) << asked;
  }
}

}  // namespace
}  // namespace millwright::apiserver
