#include "cli/failure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/x509_vfy.h>

#include <fstream>
#include <set>
#include <sstream>

#include "kube/api/status.h"
#include "kube/config/kubeconfig.h"
#include "kube/config/unusable_config.h"
#include "kube/connect/connection.h"
#include "net/request_error.h"

namespace millwright::cli {
namespace {

using testing::HasSubstr;

Error Plain(ErrorKind kind) { return Error(kind, "what happened"); }

template <class Detail>
Error With(ErrorKind kind) {
  return Plain(kind).WithDetail(std::make_shared<Detail>());
}

struct CodeCase {
  const char* name;
  Stage stage;
  Error error;
  ExitCode want;
};

class CodeForTest : public testing::TestWithParam<CodeCase> {};

TEST_P(CodeForTest, TellsScriptsWhatWentWrong) {
  EXPECT_EQ(CodeFor(GetParam().stage, GetParam().error), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(
    All, CodeForTest,
    testing::Values(
        CodeCase{"Usage", Stage::kUsage, Plain(ErrorKind::kInvalid), ExitCode::kUsage},
        CodeCase{"NoKubeconfig", Stage::kKubeconfig, Plain(ErrorKind::kNotFound),
                 ExitCode::kBadKubeconfig},
        CodeCase{"BadKubeconfig", Stage::kKubeconfig, Plain(ErrorKind::kInvalid),
                 ExitCode::kBadKubeconfig},
        CodeCase{"NoSuchContext", Stage::kKubeconfig,
                 With<kube::UnknownContext>(ErrorKind::kInvalid), ExitCode::kUnknownContext},
        CodeCase{"UntrustedServer", Stage::kConnecting, Plain(ErrorKind::kInvalid),
                 ExitCode::kUntrustedServer},
        CodeCase{"ExpiredServer", Stage::kConnecting,
                 net::UntrustedServerError(X509_V_ERR_CERT_HAS_EXPIRED, "", ""),
                 ExitCode::kUntrustedServer},
        CodeCase{"ServerExpiresMeanwhile", Stage::kRequest,
                 net::UntrustedServerError(X509_V_ERR_CERT_HAS_EXPIRED, "", "").Wrap("GET /x"),
                 ExitCode::kUntrustedServer},
        CodeCase{"NotReady", Stage::kConnecting, kube::ErrorFrom(503, ""), ExitCode::kUnreachable},
        CodeCase{"NotKubernetes", Stage::kConnecting,
                 With<kube::NotKubernetes>(ErrorKind::kInvalid), ExitCode::kNotKubernetes},
        CodeCase{"MissingCertificateFile", Stage::kConnecting,
                 With<kube::UnusableConfig>(ErrorKind::kInvalid), ExitCode::kBadKubeconfig},
        CodeCase{"PluginWantsALogin", Stage::kConnecting,
                 With<kube::UnusableConfig>(ErrorKind::kUnavailable), ExitCode::kUnauthenticated},
        CodeCase{"PluginFailsLater", Stage::kRequest,
                 With<kube::UnusableConfig>(ErrorKind::kUnavailable), ExitCode::kUnauthenticated},
        CodeCase{"RefusedWhileConnecting", Stage::kConnecting, Plain(ErrorKind::kUnauthenticated),
                 ExitCode::kUnauthenticated},
        CodeCase{"Unreachable", Stage::kConnecting, Plain(ErrorKind::kUnavailable),
                 ExitCode::kUnreachable},
        CodeCase{"Refused", Stage::kRequest, Plain(ErrorKind::kUnauthenticated),
                 ExitCode::kUnauthenticated},
        CodeCase{"Forbidden", Stage::kRequest, Plain(ErrorKind::kPermission), ExitCode::kForbidden},
        CodeCase{"GoneMeanwhile", Stage::kRequest, Plain(ErrorKind::kUnavailable),
                 ExitCode::kUnreachable},
        CodeCase{"NoSuchKind", Stage::kRequest, kube::ErrorFrom(404, "404 page not found"),
                 ExitCode::kUnknownResource},
        CodeCase{
            "NoSuchObject", Stage::kRequest,
            kube::ErrorFrom(404, R"({"kind":"Status","apiVersion":"v1","details":{"name":"x"}})"),
            ExitCode::kFailed},
        CodeCase{"BadSelector", Stage::kRequest, Plain(ErrorKind::kInvalid), ExitCode::kFailed},
        CodeCase{"InDoubt", Stage::kRequest, Plain(ErrorKind::kInDoubt), ExitCode::kFailed},
        CodeCase{"FullDisk", Stage::kOutput, Plain(ErrorKind::kUnavailable), ExitCode::kFailed}),
    [](const auto& test) { return std::string(test.param.name); });

struct TextCase {
  const char* name;
  Stage stage;
  ErrorKind kind;
  const char* want;
};

class ReportTest : public testing::TestWithParam<TextCase> {};

TEST_P(ReportTest, IsOneLineWithAHint) {
  testing::internal::CaptureStderr();
  const ExitCode code = Report(GetParam().stage, Plain(GetParam().kind));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), GetParam().want);
  EXPECT_EQ(code, CodeFor(GetParam().stage, Plain(GetParam().kind)));
}

INSTANTIATE_TEST_SUITE_P(
    All, ReportTest,
    testing::Values(
        TextCase{"Usage", Stage::kUsage, ErrorKind::kInvalid, "millwright: what happened\n"},
        TextCase{"Untrusted", Stage::kConnecting, ErrorKind::kInvalid,
                 "millwright: what happened\n"},
        TextCase{"Unreachable", Stage::kConnecting, ErrorKind::kUnavailable,
                 "millwright: what happened: is the server up, and is the address in the "
                 "kubeconfig right?\n"},
        TextCase{"Credentials", Stage::kRequest, ErrorKind::kUnauthenticated,
                 "millwright: what happened: renew the credentials in the kubeconfig\n"},
        TextCase{"Forbidden", Stage::kRequest, ErrorKind::kPermission,
                 "millwright: what happened: ask whoever administers the cluster for that "
                 "permission, or use another --context\n"}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(ReportTest, AServerThatAnswersIsNotSaidToBeDown) {
  testing::internal::CaptureStderr();
  Report(Stage::kConnecting, kube::ErrorFrom(503, ""));
  Report(Stage::kConnecting, net::UntrustedServerError(X509_V_ERR_CERT_HAS_EXPIRED, "", ""));
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_THAT(said, HasSubstr("503"));
  EXPECT_THAT(said, HasSubstr("not ready"));
  EXPECT_THAT(said, HasSubstr("certificate is not valid now"));
  EXPECT_THAT(said, testing::Not(HasSubstr("is the server up")));
}

TEST(ReportTest, AMessageWithPercentSignsIsShownAsItIs) {
  testing::internal::CaptureStderr();
  Report(Stage::kUsage, Error(ErrorKind::kInvalid, "100%s %n"));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "millwright: 100%s %n\n");
}

TEST(ExitCodesTest, AllAreDocumentedOnce) {
  std::ifstream file(MILLWRIGHT_SOURCE_DIR "/docs/exit-codes.md");
  std::stringstream docs;
  docs << file.rdbuf();
  std::set<int> codes;
  for (const ExitCodeMeaning& known : kExitCodes) {
    EXPECT_TRUE(codes.insert(static_cast<int>(known.code)).second);
    EXPECT_FALSE(known.meaning.empty());
    EXPECT_THAT(docs.str(),
                HasSubstr("\n| " + std::to_string(static_cast<int>(known.code)) + " |"));
  }
  EXPECT_EQ(codes.size(), static_cast<std::size_t>(*codes.rbegin()) + 1);
}

}  // namespace
}  // namespace millwright::cli
