#include "apiserver/auth/pki/signing_request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/auth/pki/pki.h"
#include "apiserver/auth/pki/test_request.h"
#include "net/server_identity.h"

namespace millwright::apiserver {
namespace {

using testing::ElementsAre;

constexpr WallTime kNow = WallTime(std::chrono::sys_days(std::chrono::year(2026) / 3 / 1));

TEST(SigningRequestTest, SaysWhatIsWanted) {
  const auto request = ParseSigningRequest(MakeRequestPem(
      {.common_name = "system:node:a",
       .organizations = {"system:nodes", "x"},
       .alternative_names = "DNS:a.example,IP:192.0.2.1,email:a@b.c,URI:spiffe://a"}));
  ASSERT_TRUE(request);
  EXPECT_EQ(request->common_name, "system:node:a");
  EXPECT_THAT(request->organizations, ElementsAre("system:nodes", "x"));
  EXPECT_THAT(request->names.dns_names, ElementsAre("a.example"));
  EXPECT_THAT(request->names.ip_addresses, ElementsAre("192.0.2.1"));
  EXPECT_THAT(request->names.emails, ElementsAre("a@b.c"));
  EXPECT_THAT(request->names.uris, ElementsAre("spiffe://a"));
}

TEST(SigningRequestTest, NeedsProofOfItsKey) {
  EXPECT_FALSE(ParseSigningRequest(""));
  EXPECT_FALSE(ParseSigningRequest(
      "-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----\n"));
  // Another name under the same signature.
  std::string pem =
      MakeRequestPem({.common_name = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"});
  const auto place = pem.find("YWFh");
  ASSERT_NE(place, pem.npos);
  pem.replace(place, 4, "YmJi");
  const auto forged = ParseSigningRequest(pem);
  ASSERT_FALSE(forged);
  EXPECT_EQ(forged.error().message(), "the request is not signed by its own key");
}

TEST(SigningRequestTest, BecomesACertificateForItsKey) {
  SeededRandom random(1);
  const Pki pki = MakePki({}, kNow, random);
  const Authority authority{.certificate = Certificate::Parse(pki.ca.certificate).value(),
                            .key = PrivateKey::Parse(pki.ca.key.Reveal()).value()};
  const PrivateKey key = PrivateKey::Generate();
  const auto request = ParseSigningRequest(MakeRequestPem(
      {.common_name = "ann", .organizations = {"g"}, .alternative_names = "DNS:a,URI:b:c"}, key));
  const Certificate certificate = SignRequest(*request,
                                              {.common_name = "ignored",
                                               .usages = {"client auth"},
                                               .begins = kNow,
                                               .ends = kNow + 2 * kAuthorityLife},
                                              authority, random);
  EXPECT_TRUE(certificate.BelongsTo(key));
  EXPECT_TRUE(certificate.IsSignedBy(authority.certificate));
  EXPECT_EQ(certificate.ends(), authority.certificate.ends());
  const auto names = net::NamesIn(*certificate.get());
  EXPECT_EQ(names.common_name, "ann");
  EXPECT_THAT(names.organizations, ElementsAre("g"));
  EXPECT_THAT(names.dns_names, ElementsAre("a"));
  EXPECT_THAT(names.uris, ElementsAre("b:c"));
}

}  // namespace
}  // namespace millwright::apiserver
