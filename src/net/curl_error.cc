#include "net/curl_error.h"

#include <openssl/x509_vfy.h>

#include <algorithm>
#include <array>

namespace millwright::net {

namespace {

std::string Sentence(std::string_view doing, std::string_view what, const CurlFailure& failure) {
  const std::string detail =
      failure.detail.empty() ? curl_easy_strerror(failure.code) : failure.detail;
  return std::string(doing) + ": " + std::string(what) + ": " + detail;
}

// TLS alerts by which a server says that it does not accept our certificate, as OpenSSL spells
// them. With TLS 1.3 they come after the handshake, when the request is under way; it was not
// looked at.
bool RefusedOurCertificate(std::string_view detail) {
  static constexpr std::array<std::string_view, 9> kAlerts = {
      "alert bad certificate",      "alert unsupported certificate", "alert certificate revoked",
      "alert certificate expired",  "alert certificate unknown",     "alert unknown ca",
      "alert certificate required", "alert access denied",           "alert decrypt error"};
  return std::ranges::any_of(kAlerts,
                             [&](std::string_view alert) { return detail.contains(alert); });
}

// An authority of the right name that is not the one who signed (as after a cluster was built
// anew): libcurl then shows the error of the signature's arithmetic and not that of the
// verification.
bool IsForgedSignature(std::string_view detail) {
  return detail.contains("asn1 encoding routines::") || detail.contains("rsa routines::");
}

Error UntrustedServer(const CurlFailure& failure, std::string_view doing) {
  switch (failure.verify_result) {
    case X509_V_ERR_CERT_HAS_EXPIRED:
    case X509_V_ERR_CERT_NOT_YET_VALID:
      return Error(ErrorKind::kUnavailable,
                   Sentence(doing,
                            "the server's certificate is not valid now; renew it, or set this "
                            "machine's clock",
                            failure));
    case X509_V_ERR_UNSPECIFIED:  // what libcurl leaves there when it finds another name itself
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH:
      return Error(ErrorKind::kInvalid,
                   Sentence(doing,
                            "the server's certificate is for another name; use an address it is "
                            "for, or set the TLS server name",
                            failure));
    default:
      return Error(ErrorKind::kInvalid,
                   Sentence(doing,
                            "the server's certificate is not signed by an authority we trust; "
                            "check the configured certificate authority",
                            failure));
  }
}

Error Lost(const CurlFailure& failure, std::string_view method, std::string_view doing) {
  if (!failure.sent) return Error(ErrorKind::kUnavailable, Sentence(doing, "not sent", failure));
  const bool in_doubt = IsWriting(method);
  return Error(in_doubt ? ErrorKind::kInDoubt : ErrorKind::kUnavailable,
               Sentence(doing, "the answer was lost", failure));
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

// Long, because it is a table; libcurl has a hundred codes and all others mean the same to us.
Error ErrorFrom(const CurlFailure& failure, std::string_view method, std::string_view doing) {
  if (RefusedOurCertificate(failure.detail)) {
    return Error(ErrorKind::kUnauthenticated,
                 Sentence(doing, "the server refused our TLS certificate", failure));
  }
  const auto before = [&](ErrorKind kind, std::string_view what) {
    return failure.sent ? Lost(failure, method, doing)
                        : Error(kind, Sentence(doing, what, failure));
  };
  switch (static_cast<int>(failure.code)) {
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL: return before(ErrorKind::kInvalid, "not a usable address");
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
      return before(ErrorKind::kUnavailable, "could not resolve the host");
    case CURLE_COULDNT_CONNECT:
    case CURLE_OPERATION_TIMEDOUT: return before(ErrorKind::kUnavailable, "could not connect");
    case CURLE_PROXY: return before(ErrorKind::kUnavailable, "could not connect through the proxy");
    case CURLE_SSL_CONNECT_ERROR:
      if (IsForgedSignature(failure.detail)) {
        return UntrustedServer({failure.code, failure.detail, X509_V_ERR_CERT_SIGNATURE_FAILURE},
                               doing);
      }
      return before(ErrorKind::kUnavailable, "no TLS connection");
    case CURLE_PEER_FAILED_VERIFICATION: return UntrustedServer(failure, doing);
    case CURLE_SSL_CACERT_BADFILE:
      return before(ErrorKind::kInvalid, "the configured certificate authority cannot be used");
    case CURLE_SSL_CERTPROBLEM:
      return before(ErrorKind::kInvalid, "the configured client certificate cannot be used");
    default: return Lost(failure, method, doing);
  }
}

Error TimeoutError(bool sent, std::string_view method, std::string_view doing) {
  if (!sent) return Error(ErrorKind::kUnavailable, std::string(doing) + ": no connection in time");
  const bool in_doubt = IsWriting(method);
  return Error(in_doubt ? ErrorKind::kInDoubt : ErrorKind::kUnavailable,
               std::string(doing) + ": no answer in time");
}

}  // namespace millwright::net
