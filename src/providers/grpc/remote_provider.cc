#include "providers/grpc/remote_provider.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include "providers/grpc/status.h"

namespace millwright::providers::grpc {

namespace {

namespace fs = std::filesystem;

// Servers of gRPC send a client away that asks for a sign of life more often than every five
// minutes, or at all while nothing runs.
constexpr Duration kQuiet = std::chrono::seconds(310);

Result<std::string> ReadFile(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return Fail(ErrorKind::kInvalid, file.string() + ": it cannot be read");
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

Result<net::TlsConfig> ReadCertificates(const fs::path& directory) {
  net::TlsConfig tls;
  TRY(tls.ca_pem, ReadFile(directory / "ca.crt"));
  TRY(tls.client_cert_pem, ReadFile(directory / "tls.crt"));
  TRY(std::string key, ReadFile(directory / "tls.key"));
  tls.client_key_pem = SecretText(std::move(key));
  return tls;
}

Result<std::unique_ptr<net::Http2Client>> MakeClient(const Executor& executor, Clock& clock,
                                                     const RemoteProvider::Options& options) {
  const ProviderAddress& address = options.address;
  net::ClientOptions client{
      .base_url = address.url, .proxy = "", .max_answer = kMaxMessage + std::size_t{1024}};
  if (!address.url.empty()) {
    if (options.certificates.empty()) {
      return Fail(ErrorKind::kInvalid,
                  fmt::format("{} needs a folder with ca.crt, tls.crt and tls.key", address.url));
    }
    TRY(client.tls, ReadCertificates(options.certificates));
  }
  return net::Http2Client::Create(
      executor, clock, std::move(client),
      {.unix_socket = address.unix_socket, .quiet = kQuiet, .keep_idle = false});
}

}  // namespace

Result<std::unique_ptr<RemoteProvider>> RemoteProvider::Create(const Executor& executor,
                                                               Clock& clock, Logger log,
                                                               Options options) {
  auto http = MakeClient(executor, clock, options);
  if (!http) {
    return Failure(std::move(http).error().Wrap(fmt::format("provider {}", options.address.name)));
  }
  return std::unique_ptr<RemoteProvider>(
      new RemoteProvider(executor, clock, std::move(log), std::move(options), *std::move(http)));
}

RemoteProvider::RemoteProvider(const Executor& executor, Clock& clock, Logger log, Options options,
                               std::unique_ptr<net::Http2Client> http)
    : options_(std::move(options)),
      log_(std::move(log)),
      http_(std::move(http)),
      cloud_(executor, *http_, clock, log_,
             {.provider = options_.address.name,
              .address = options_.address.where(),
              .before_greeting = [this] { RenewCertificates(); }}) {}

void RemoteProvider::RenewCertificates() {
  if (options_.address.url.empty()) return;
  auto tls = ReadCertificates(options_.certificates);
  const auto used = tls ? http_->SetTls(*std::move(tls)) : Result<void>(Failure(tls.error()));
  if (used) return;
  log_.Warning("certificates stay as they were",
               {{"provider", name()}, {"error", used.error().message()}});
}

}  // namespace millwright::providers::grpc
