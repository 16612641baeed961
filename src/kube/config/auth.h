// Who we are to the cluster at this moment. Credentials rotate while we run: tokens and
// certificates in files are replaced, plugins hand out short-lived ones.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "base/secret.h"
#include "kube/config/client_config.h"
#include "kube/config/exec_source.h"
#include "kube/config/surroundings.h"
#include "net/tls_config.h"

namespace millwright::kube {

// Cheap to copy. The generations count up whenever the thing has changed.
struct AuthState {
  std::shared_ptr<const SecretText> authorization{};  // the whole header value; null: send none
  std::shared_ptr<const net::TlsConfig> tls{};
  std::uint64_t tls_generation = 0;
  std::uint64_t generation = 0;  // of either
};

class AuthSource {
 public:
  struct Ports {
    Executor executor;
    Clock& clock;
    Surroundings surroundings;
    ExecSource::Run run{};     // none: RunChild
    bool interactive = false;  // a person can answer a plugin's questions
  };

  // Reads the files that the configuration names, so that a wrong path is known at once: kInvalid.
  // Plugins run only when they are needed.
  static Result<std::unique_ptr<AuthSource>> Create(const ClientConfig& config, Ports ports);

  // What to send a request with. Files are looked at no more than every ten seconds, and if one
  // cannot be read any more, or a certificate does not fit its key because only one of them has
  // been replaced yet, the last good state stays. Waits only for a plugin, and fails only if that
  // does.
  Task<Result<AuthState>> Current();

  // The server answered 401 to a request sent with this state: the next Current looks again, unless
  // the state has changed since.
  void Invalidate(const AuthState& refused);

  // False if all is fixed, so that a refusal is final.
  bool CanChange() const { return token_file_ || tls_files_ || exec_; }

  // The last state known. TLS is complete but for what a plugin might add.
  const AuthState& state() const { return state_; }

  // Why files could not be used when they were last looked at, for a log: without a remedy, what we
  // have will expire some day.
  const std::optional<Error>& problem() const { return problem_; }

 private:
  // A file whose content we hold, and how it looked when we read it.
  struct WatchedFile {
    std::string path;
    std::optional<FileStamp> stamp{};
  };
  struct TlsFiles {
    WatchedFile ca, client_cert, client_key;
  };

  AuthSource(const ClientConfig& config, Ports ports);

  Result<void> Start(const ClientConfig& config);
  Result<void> StartExec(const ClientConfig& config, const ExecPlugin& plugin);
  Result<void> StartToken(const TokenFile& token);
  void LookAtFiles();
  Result<void> Reload(bool force);
  Result<void> ReloadToken(bool force);
  Result<void> ReloadTls(bool force);
  bool HasChanged(const WatchedFile& file) const;
  Result<std::string> ReadFile(WatchedFile& file, std::string_view what) const;
  Result<net::TlsConfig> ReadTls(TlsFiles& files) const;
  void SetAuthorization(std::string value);
  void SetTls(net::TlsConfig tls);
  void Apply(const ExecSource::Credential& credential);

  const Ports ports_;
  const TlsSource tls_source_;

  AuthState state_;
  net::TlsConfig base_tls_;  // without what a plugin adds
  std::optional<WatchedFile> token_file_;
  std::optional<TlsFiles> tls_files_;
  SteadyTime next_look_{};
  bool refused_ = false;
  std::optional<Error> problem_;
  std::unique_ptr<ExecSource> exec_;
  ExecSource::Credential applied_;
};

// "Bearer " and the token without the newline that files end in: HTTP/2 servers refuse a value with
// white space at its end.
std::string BearerValue(std::string_view token);

// "Basic " and both in base64.
std::string BasicValue(std::string_view username, std::string_view password);

}  // namespace millwright::kube
