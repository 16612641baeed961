#include "net/curl_error.h"

#include <openssl/x509_vfy.h>

#include "net/request_error.h"

namespace millwright::net {

namespace {

std::string Detail(const CurlFailure& failure) {
  return failure.detail.empty() ? curl_easy_strerror(failure.code) : failure.detail;
}

// An authority of the right name that is not the one who signed (as after a cluster was built
// anew): libcurl then shows the error of the signature's arithmetic and not that of the
// verification.
bool IsForgedSignature(std::string_view detail) {
  return detail.contains("asn1 encoding routines::") || detail.contains("rsa routines::");
}

Error Lost(const CurlFailure& failure, std::string_view method, std::string_view doing) {
  return failure.sent ? LostError(method, doing, Detail(failure))
                      : NotSentError(doing, Detail(failure));
}

}  // namespace

// Long, because it is a table; libcurl has a hundred codes and all others mean the same to us.
Error ErrorFrom(const CurlFailure& failure, std::string_view method, std::string_view doing) {
  const std::string detail = Detail(failure);
  if (RefusedOurCertificate(detail)) return RefusedCertificateError(doing, detail);
  const auto before = [&](ErrorKind kind, std::string_view what) {
    if (failure.sent) return Lost(failure, method, doing);
    return Error(kind, std::string(doing) + ": " + std::string(what) + ": " + detail);
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
      if (IsForgedSignature(detail)) {
        return UntrustedServerError(X509_V_ERR_CERT_SIGNATURE_FAILURE, doing, detail);
      }
      return before(ErrorKind::kUnavailable, "no TLS connection");
    case CURLE_PEER_FAILED_VERIFICATION:
      return UntrustedServerError(failure.verify_result, doing, detail);
    case CURLE_SSL_CACERT_BADFILE:
      return before(ErrorKind::kInvalid, "the configured certificate authority cannot be used");
    case CURLE_SSL_CERTPROBLEM:
      return before(ErrorKind::kInvalid, "the configured client certificate cannot be used");
    default: return Lost(failure, method, doing);
  }
}

}  // namespace millwright::net
