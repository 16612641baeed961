#include "net/request_error.h"

#include <openssl/x509_vfy.h>

#include <algorithm>
#include <array>
#include <memory>

namespace millwright::net {

namespace {

Error Sentence(ErrorKind kind, std::string_view doing, std::string_view what,
               std::string_view detail) {
  std::string text(doing);
  if (!text.empty()) text += ": ";
  text += what;
  if (!detail.empty()) text += ": " + std::string(detail);
  return Error(kind, std::move(text));
}

ErrorKind Doubt(std::string_view method, ErrorKind otherwise) {
  return IsWriting(method) ? ErrorKind::kInDoubt : otherwise;
}

}  // namespace

bool IsWriting(std::string_view method) {
  return method != "GET" && method != "HEAD" && method != "OPTIONS";
}

std::string ShownUrl(std::string_view url) {
  url = url.substr(0, url.find_first_of("?#"));
  const std::size_t scheme = url.find("://");
  if (scheme == url.npos) return std::string(url);
  const std::size_t host = scheme + 3;
  const std::string_view authority = url.substr(host, url.find('/', host) - host);
  const std::size_t user = authority.rfind('@');
  if (user == authority.npos) return std::string(url);
  return std::string(url.substr(0, host)) + std::string(url.substr(host + user + 1));
}

Error LostError(std::string_view method, std::string_view doing, std::string_view detail) {
  return Sentence(Doubt(method, ErrorKind::kUnavailable), doing, "the answer was lost", detail);
}

Error NotSentError(std::string_view doing, std::string_view detail) {
  return Sentence(ErrorKind::kUnavailable, doing, "not sent", detail);
}

Error TimeoutError(bool sent, std::string_view method, std::string_view doing) {
  if (!sent) return Sentence(ErrorKind::kUnavailable, doing, "no connection in time", "");
  return Sentence(Doubt(method, ErrorKind::kUnavailable), doing, "no answer in time", "");
}

Error StoppedError(std::string_view doing) {
  return Sentence(ErrorKind::kCancelled, doing, "ended by us", "");
}

Error TooLargeError(std::string_view method, std::string_view doing, std::string_view what,
                    std::size_t limit) {
  return Error(Doubt(method, ErrorKind::kInvalid), std::string(doing) + ": the " +
                                                       std::string(what) + " is larger than " +
                                                       std::to_string(limit) + " bytes");
}

bool RefusedOurCertificate(std::string_view detail) {
  static constexpr std::array<std::string_view, 9> kAlerts = {
      "alert bad certificate",      "alert unsupported certificate", "alert certificate revoked",
      "alert certificate expired",  "alert certificate unknown",     "alert unknown ca",
      "alert certificate required", "alert access denied",           "alert decrypt error"};
  return std::ranges::any_of(kAlerts,
                             [&](std::string_view alert) { return detail.contains(alert); });
}

Error RefusedCertificateError(std::string_view doing, std::string_view detail) {
  return Sentence(ErrorKind::kUnauthenticated, doing, "the server refused our TLS certificate",
                  detail);
}

namespace {

Error Verdict(long verify_result, std::string_view doing, std::string_view detail) {
  switch (verify_result) {
    case X509_V_ERR_CERT_HAS_EXPIRED:
    case X509_V_ERR_CERT_NOT_YET_VALID:
      return Sentence(ErrorKind::kUnavailable, doing,
                      "the server's certificate is not valid now; renew it, or set this machine's "
                      "clock",
                      detail);
    case X509_V_ERR_UNSPECIFIED:  // what libcurl leaves there when it finds another name itself
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH:
      return Sentence(ErrorKind::kInvalid, doing,
                      "the server's certificate is for another name; use an address it is for, or "
                      "set the TLS server name",
                      detail);
    default:
      return Sentence(ErrorKind::kInvalid, doing,
                      "the server's certificate is not signed by an authority we trust; check the "
                      "configured certificate authority",
                      detail);
  }
}

}  // namespace

Error UntrustedServerError(long verify_result, std::string_view doing, std::string_view detail) {
  return Verdict(verify_result, doing, detail).WithDetail(std::make_shared<UntrustedServer>());
}

}  // namespace millwright::net
