#include "kube/config/exec_credential.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>

#include <boost/json.hpp>

namespace millwright::kube {
namespace {

namespace json = boost::json;

constexpr const char* kV1 = "client.authentication.k8s.io/v1";

std::string Printed(const std::string& status) {
  return R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":)" +
         status + "}";
}

TEST(ExecInfo, SaysLittleUnlessAskedTo) {
  const ClientConfig config{.server = "https://h", .credentials = ExecPlugin{.api_version = kV1}};
  EXPECT_EQ(json::parse(ExecInfo(config, "pem", false)),
            json::parse(R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1",
                            "spec":{"interactive":false}})"));
}

TEST(ExecInfo, TellsAboutTheCluster) {
  const ClientConfig config{
      .server = "https://h",
      .tls = {.server_name = "n"},
      .proxy_url = "http://p",
      .credentials = ExecPlugin{
          .api_version = kV1, .provide_cluster_info = true, .cluster_config = {{"audience", "x"}}}};
  EXPECT_EQ(json::parse(ExecInfo(config, "pem", true)),
            json::parse(R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1",
                            "spec":{"interactive":true,"cluster":{"server":"https://h",
                            "tls-server-name":"n","certificate-authority-data":"cGVt",
                            "proxy-url":"http://p","config":{"audience":"x"}}}})"));
}

TEST(ParseExecCredential, ReadsATokenThatExpires) {
  const auto got = ParseExecCredential(
      Printed(R"({"token":"t","expirationTimestamp":"2026-01-01T00:00:00Z"})"), kV1);
  ASSERT_TRUE(got) << got.error().message();
  EXPECT_EQ(*got, (ExecCredential{.token = SecretText("t"),
                                  .expires = *ParseTime("2026-01-01T00:00:00Z")}));
}

TEST(ParseExecCredential, ReadsACertificate) {
  const auto got =
      ParseExecCredential(Printed(R"({"clientCertificateData":"c","clientKeyData":"k"})"), kV1);
  ASSERT_TRUE(got) << got.error().message();
  EXPECT_EQ(*got, (ExecCredential{.client_cert_pem = "c", .client_key_pem = SecretText("k")}));
}

struct BadCase {
  const char* name;
  std::string text;
  const char* want;
};

void PrintTo(const BadCase& c, std::ostream* out) { *out << c.text; }

class ExecCredentialErrorTest : public testing::TestWithParam<BadCase> {};

TEST_P(ExecCredentialErrorTest, SaysWhatIsMissing) {
  const auto got = ParseExecCredential(GetParam().text, kV1);
  ASSERT_FALSE(got);
  EXPECT_THAT(got.error().message(), testing::StartsWith(GetParam().want));
  EXPECT_THAT(got.error().message(), testing::Not(testing::HasSubstr("s3cret")));
}

const BadCase kErrors[] = {
    {"Nothing", "", "it printed no ExecCredential"},
    {"PlainToken", "s3cret", "it printed no ExecCredential"},
    {"BrokenJson", R"({"token":"s3cret)", "what it printed:1:"},
    {"AnotherKind", R"({"kind":"Pod"})", "it printed no ExecCredential"},
    {"AnotherVersion",
     R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1beta1"})",
     "it printed version \"client.authentication.k8s.io/v1beta1\" where the kubeconfig asks for"},
    {"NoStatus", R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1"})",
     "its ExecCredential has no status"},
    {"NoCredentials", Printed("{}"), "it has neither a token nor a certificate with its key"},
    {"CertificateOnly", Printed(R"({"clientCertificateData":"s3cret"})"),
     "it has a certificate or a key, but not both"},
    {"TokenNotText", Printed(R"({"token":5})"), "\"token\" is not text"},
    {"BadTime", Printed(R"({"token":"s3cret","expirationTimestamp":"s3cret"})"),
     "its expirationTimestamp is not a time"},
};
INSTANTIATE_TEST_SUITE_P(All, ExecCredentialErrorTest, testing::ValuesIn(kErrors),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace millwright::kube
