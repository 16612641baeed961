#include "net/tls_server.h"

#include <sys/stat.h>
#include <boost/asio/ssl/context.hpp>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

namespace millwright::net {

namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using Context = asio::ssl::context;

// A list of protocols as ALPN writes it: each with its length before it.
constexpr std::string_view kProtocols = "\x08http/1.1";

constexpr Duration kLookAgainAfter = std::chrono::seconds(1);

int ChooseProtocol(SSL*, const unsigned char** chosen, unsigned char* length,
                   const unsigned char* offered, unsigned int offered_length, void*) {
  // The function does not write through its first argument, but its type says so.
  unsigned char* match = nullptr;
  const int result = SSL_select_next_proto(
      &match, length, reinterpret_cast<const unsigned char*>(kProtocols.data()), kProtocols.size(),
      offered, offered_length);
  *chosen = match;
  return result == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

Result<void> Check(const error_code& error, std::string_view what) {
  if (!error) return Ok();
  return Fail(ErrorKind::kInvalid, std::string(what) + ": " + error.message());
}

void SetPolicy(Context& context) {
  SSL_CTX* native = context.native_handle();
  SSL_CTX_set_min_proto_version(native, TLS1_2_VERSION);
  SSL_CTX_set_options(native, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_NO_TICKET |
                                  SSL_OP_CIPHER_SERVER_PREFERENCE);
  SSL_CTX_set_session_cache_mode(native, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_num_tickets(native, 0);
  SSL_CTX_set_mode(native, SSL_MODE_RELEASE_BUFFERS);  // idle connections are many
  SSL_CTX_set_alpn_select_cb(native, ChooseProtocol, nullptr);
}

Result<void> TrustClients(Context& context, const std::string& authorities) {
  error_code error;
  context.add_certificate_authority(asio::buffer(authorities), error);
  CHECK_OK(Check(error, "client certificate authorities"));
  // Sent to clients, so that one with several certificates knows which to show.
  X509_STORE* store = SSL_CTX_get_cert_store(context.native_handle());
  const STACK_OF(X509_OBJECT)* objects = X509_STORE_get0_objects(store);
  for (int i = 0; i < sk_X509_OBJECT_num(objects); ++i) {
    X509* authority = X509_OBJECT_get0_X509(sk_X509_OBJECT_value(objects, i));
    if (authority != nullptr) SSL_CTX_add_client_CA(context.native_handle(), authority);
  }
  // An intermediate authority may be trusted without its root, as in Go.
  X509_STORE_set_flags(store, X509_V_FLAG_PARTIAL_CHAIN);
  context.set_verify_mode(asio::ssl::verify_peer, error);
  return Check(error, "client certificates");
}

Result<std::string> ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return Fail(ErrorKind::kInvalid, "cannot open " + path + ": " + std::strerror(errno));
  std::string text(std::istreambuf_iterator<char>(file), {});
  if (file.bad()) return Fail(ErrorKind::kInvalid, "cannot read " + path);
  return text;
}

Result<TlsPem> ReadFiles(const TlsFiles& files) {
  TlsPem pem;
  TRY(pem.certificate, ReadFile(files.certificate));
  TRY(std::string key, ReadFile(files.key));
  pem.key = SecretText(std::move(key));
  if (!files.client_ca.empty()) {
    TRY(pem.client_ca, ReadFile(files.client_ca));
    // Without this, an emptied file would turn off what the option asks for.
    if (pem.client_ca.empty()) return Fail(ErrorKind::kInvalid, files.client_ca + " is empty");
  }
  return pem;
}

Result<std::shared_ptr<Context>> LoadContext(const TlsFiles& files) {
  TRY(const TlsPem pem, ReadFiles(files));
  return MakeServerContext(pem);
}

}  // namespace

Result<std::shared_ptr<Context>> MakeServerContext(const TlsPem& pem) {
  auto context = std::make_shared<Context>(Context::tls_server);
  SetPolicy(*context);
  error_code error;
  context->use_certificate_chain(asio::buffer(pem.certificate), error);
  CHECK_OK(Check(error, "certificate"));
  context->use_private_key(asio::buffer(pem.key.Reveal()), Context::pem, error);
  CHECK_OK(Check(error, "key"));
  if (SSL_CTX_check_private_key(context->native_handle()) != 1) {
    return Fail(ErrorKind::kInvalid, "key: does not belong to the certificate");
  }
  if (!pem.client_ca.empty()) CHECK_OK(TrustClients(*context, pem.client_ca));
  return context;
}

TlsServer::TlsServer(std::optional<TlsFiles> files, std::vector<Stamp> stamps, const Clock& clock,
                     Logger log)
    : files_(std::move(files)),
      clock_(clock),
      log_(std::move(log)),
      stamps_(std::move(stamps)),
      looked_at_(clock.Elapsed()) {}

Result<std::unique_ptr<TlsServer>> TlsServer::Create(TlsSource source, const Clock& clock,
                                                     Logger log) {
  std::optional<TlsFiles> files;
  std::vector<Stamp> stamps;
  std::shared_ptr<Context> context;
  if (const auto* pem = std::get_if<TlsPem>(&source)) {
    TRY(context, MakeServerContext(*pem));
  } else {
    files = std::get<TlsFiles>(std::move(source));
    stamps = StampsOf(*files);  // before reading: a change in between shows as one later
    TRY(context, LoadContext(*files));
  }
  auto server = std::unique_ptr<TlsServer>(
      new TlsServer(std::move(files), std::move(stamps), clock, std::move(log)));
  server->context_ = std::move(context);
  return server;
}

std::shared_ptr<Context> TlsServer::Current() {
  if (files_ && clock_.Elapsed() - looked_at_ >= kLookAgainAfter) Reload();
  return context_;
}

void TlsServer::Reload() {
  looked_at_ = clock_.Elapsed();
  std::vector<Stamp> stamps = StampsOf(*files_);
  if (stamps == stamps_) return;
  stamps_ = std::move(stamps);
  auto context = LoadContext(*files_);
  if (!context) {
    log_.Warning("new TLS files cannot be used, keeping the old ones",
                 {{"certificate", files_->certificate}, {"error", context.error()}});
    return;
  }
  context_ = *std::move(context);
  log_.Info("TLS files reloaded", {{"certificate", files_->certificate}});
}

std::vector<TlsServer::Stamp> TlsServer::StampsOf(const TlsFiles& files) {
  std::vector<Stamp> stamps;
  for (const std::string* path : {&files.certificate, &files.key, &files.client_ca}) {
    struct stat found{};
    Stamp& stamp = stamps.emplace_back();
    if (path->empty() || stat(path->c_str(), &found) != 0) continue;
    stamp = {.device = found.st_dev,
             .inode = found.st_ino,
             .size = found.st_size,
             .modified_seconds = found.st_mtim.tv_sec,
             .modified_nanoseconds = found.st_mtim.tv_nsec};
  }
  return stamps;
}

}  // namespace millwright::net
