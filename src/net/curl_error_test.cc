#include "net/curl_error.h"

#include <gtest/gtest.h>
#include <openssl/x509_vfy.h>

namespace millwright::net {
namespace {

struct Case {
  const char* name;
  const char* method;
  CurlFailure failure;
  ErrorKind want;
  const char* words;
};

const char kTlsRequired[] =
    "OpenSSL SSL_read: error:0A00045C:SSL routines::tlsv13 alert certificate required, errno 0";

const Case kCases[] = {
    {"NoSuchHost",
     "POST",
     {CURLE_COULDNT_RESOLVE_HOST, "Could not resolve host: h", 0, false},
     ErrorKind::kUnavailable,
     "could not resolve the host: Could not resolve host: h"},
    {"Refused",
     "POST",
     {CURLE_COULDNT_CONNECT, "Connection refused", 0, false},
     ErrorKind::kUnavailable,
     "could not connect: Connection refused"},
    {"NoDetailUsesTheCodesOwnWords",
     "GET",
     {CURLE_COULDNT_CONNECT, "", 0, false},
     ErrorKind::kUnavailable,
     "could not connect: Couldn't connect to server"},
    {"ConnectTimeout",
     "POST",
     {CURLE_OPERATION_TIMEDOUT, "Connection timed out", 0, false},
     ErrorKind::kUnavailable,
     "could not connect"},
    {"ProxyRefused", "POST", {CURLE_PROXY, "", 0, false}, ErrorKind::kUnavailable, "proxy"},
    {"HandshakeFailed",
     "POST",
     {CURLE_SSL_CONNECT_ERROR, "", 0, false},
     ErrorKind::kUnavailable,
     "no TLS connection"},
    {"WrongAuthority",
     "GET",
     {CURLE_PEER_FAILED_VERIFICATION, "", X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, false},
     ErrorKind::kInvalid,
     "check the configured certificate authority"},
    {"SelfSigned",
     "GET",
     {CURLE_PEER_FAILED_VERIFICATION, "", X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, false},
     ErrorKind::kInvalid,
     "check the configured certificate authority"},
    {"AuthorityOfTheSameName",
     "GET",
     {CURLE_SSL_CONNECT_ERROR, "OpenSSL/3.0.22: error:06880006:asn1 encoding routines::EVP lib", 1,
      false},
     ErrorKind::kInvalid,
     "check the configured certificate authority"},
    {"ServerExpired",
     "GET",
     {CURLE_PEER_FAILED_VERIFICATION, "", X509_V_ERR_CERT_HAS_EXPIRED, false},
     ErrorKind::kUnavailable,
     "not valid now"},
    {"OtherName",
     "GET",
     {CURLE_PEER_FAILED_VERIFICATION, "", X509_V_ERR_UNSPECIFIED, false},
     ErrorKind::kInvalid,
     "set the TLS server name"},
    {"OtherNameSeenByOpenSsl",
     "GET",
     {CURLE_PEER_FAILED_VERIFICATION, "", X509_V_ERR_HOSTNAME_MISMATCH, false},
     ErrorKind::kInvalid,
     "set the TLS server name"},
    {"BadAuthority",
     "GET",
     {CURLE_SSL_CACERT_BADFILE, "", 0, false},
     ErrorKind::kInvalid,
     "certificate authority cannot be used"},
    {"BadClientCertificate",
     "GET",
     {CURLE_SSL_CERTPROBLEM, "", 0, false},
     ErrorKind::kInvalid,
     "client certificate cannot be used"},
    {"BadAddress", "GET", {CURLE_URL_MALFORMAT, "", 0, false}, ErrorKind::kInvalid, "address"},
    {"ServerWantsACertificate",
     "POST",
     {CURLE_RECV_ERROR, kTlsRequired, 0, true},
     ErrorKind::kUnauthenticated,
     "the server refused our TLS certificate"},
    {"ServerDoesNotKnowOurAuthority",
     "POST",
     {CURLE_SSL_CONNECT_ERROR, "tlsv1 alert unknown ca", 0, false},
     ErrorKind::kUnauthenticated,
     "the server refused our TLS certificate"},
    {"LostReadCanBeRepeated",
     "GET",
     {CURLE_GOT_NOTHING, "Empty reply from server", 0, true},
     ErrorKind::kUnavailable,
     "the answer was lost: Empty reply"},
    {"LostWriteIsInDoubt",
     "POST",
     {CURLE_GOT_NOTHING, "Empty reply from server", 0, true},
     ErrorKind::kInDoubt,
     "the answer was lost: Empty reply"},
    {"LostDeleteIsInDoubt", "DELETE", {CURLE_RECV_ERROR, "", 0, true}, ErrorKind::kInDoubt, "lost"},
    {"LostPatchIsInDoubt", "PATCH", {CURLE_PARTIAL_FILE, "", 0, true}, ErrorKind::kInDoubt, "lost"},
    {"LostStreamIsInDoubt", "PUT", {CURLE_HTTP2_STREAM, "", 0, true}, ErrorKind::kInDoubt, "lost"},
    {"WriteThatDidNotLeaveIsNot",
     "POST",
     {CURLE_SEND_ERROR, "Broken pipe", 0, false},
     ErrorKind::kUnavailable,
     "not sent: Broken pipe"},
    {"EarlyCodeAfterSendingIsInDoubtToo",
     "POST",
     {CURLE_COULDNT_CONNECT, "", 0, true},
     ErrorKind::kInDoubt,
     "lost"},
};

class CurlErrorTest : public testing::TestWithParam<Case> {};

TEST_P(CurlErrorTest, NamesTheReaction) {
  const Error error = ErrorFrom(GetParam().failure, GetParam().method, "GET https://h/p");
  EXPECT_EQ(error.kind(), GetParam().want) << error.message();
  EXPECT_TRUE(error.message().starts_with("GET https://h/p: ")) << error.message();
  EXPECT_TRUE(error.message().contains(GetParam().words)) << error.message();
}

INSTANTIATE_TEST_SUITE_P(All, CurlErrorTest, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace millwright::net
