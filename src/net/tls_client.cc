#include "net/tls_client.h"

#include <openssl/x509_vfy.h>
#include <boost/asio/buffer.hpp>

#include <string_view>

#include "net/endpoint.h"
#include "net/request_error.h"

namespace millwright::net {

namespace {

namespace asio = boost::asio;
using boost::system::error_code;

// As ALPN writes a list: each with its length before it.
constexpr std::string_view kProtocols = "\x02h2\x08http/1.1";

Result<void> Check(const error_code& error, std::string_view what) {
  if (!error) return Ok();
  return Fail(ErrorKind::kInvalid, std::string(what) + ": " + error.message());
}

Result<void> TrustAuthorities(TlsContext& context, const TlsConfig& config) {
  error_code error;
  if (config.insecure_skip_verify) {
    context.set_verify_mode(asio::ssl::verify_none, error);
    return Check(error, "TLS");
  }
  context.set_verify_mode(asio::ssl::verify_peer, error);
  CHECK_OK(Check(error, "TLS"));
  // An intermediate authority may be trusted without its root, as in Go.
  X509_STORE_set_flags(SSL_CTX_get_cert_store(context.native_handle()), X509_V_FLAG_PARTIAL_CHAIN);
  if (config.ca_pem.empty()) {
    context.set_default_verify_paths(error);
    return Check(error, "the system's certificate authorities");
  }
  context.add_certificate_authority(asio::buffer(config.ca_pem), error);
  return Check(error, "certificate authority");
}

Result<void> ShowCertificate(TlsContext& context, const TlsConfig& config) {
  error_code error;
  context.use_certificate_chain(asio::buffer(config.client_cert_pem), error);
  CHECK_OK(Check(error, "client certificate"));
  context.use_private_key(asio::buffer(config.client_key_pem.Reveal()), TlsContext::pem, error);
  return Check(error, "client key");
}

}  // namespace

Result<std::shared_ptr<TlsContext>> MakeClientContext(const TlsConfig& config) {
  auto context = std::make_shared<TlsContext>(TlsContext::tls_client);
  SSL_CTX* native = context->native_handle();
  SSL_CTX_set_min_proto_version(native, TLS1_2_VERSION);
  SSL_CTX_set_options(native, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  SSL_CTX_set_alpn_protos(native, reinterpret_cast<const unsigned char*>(kProtocols.data()),
                          kProtocols.size());
  CHECK_OK(TrustAuthorities(*context, config));
  if (!config.client_cert_pem.empty()) CHECK_OK(ShowCertificate(*context, config));
  return context;
}

Result<void> ExpectServer(TlsStream& stream, const std::string& name) {
  SSL* ssl = stream.native_handle();
  X509_VERIFY_PARAM* verify = SSL_get0_param(ssl);
  X509_VERIFY_PARAM_set_hostflags(verify, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  if (IsIpAddress(name)) {  // addresses are never asked for
    if (X509_VERIFY_PARAM_set1_ip_asc(verify, name.c_str()) == 1) return Ok();
  } else if (X509_VERIFY_PARAM_set1_host(verify, name.c_str(), name.size()) == 1 &&
             SSL_set_tlsext_host_name(ssl, name.c_str()) == 1) {
    return Ok();
  }
  return Fail(ErrorKind::kInvalid, "not a name that TLS can verify: " + name);
}

Error HandshakeError(TlsStream& stream, const error_code& error) {
  const long verdict = SSL_get_verify_result(stream.native_handle());
  if (verdict != X509_V_OK && SSL_get_verify_mode(stream.native_handle()) != SSL_VERIFY_NONE) {
    return UntrustedServerError(verdict, "", X509_verify_cert_error_string(verdict));
  }
  const std::string detail = error.message();
  if (RefusedOurCertificate(detail)) return RefusedCertificateError("", detail);
  return Error(ErrorKind::kUnavailable, "no TLS connection: " + detail);
}

std::string ChosenProtocol(TlsStream& stream) {
  const unsigned char* name = nullptr;
  unsigned int size = 0;
  SSL_get0_alpn_selected(stream.native_handle(), &name, &size);
  return {reinterpret_cast<const char*>(name), size};
}

}  // namespace millwright::net
