#include "kube/config/auth.h"

#include <utility>
#include <variant>

#include <fmt/format.h>

#include "base/base64.h"

namespace millwright::kube {

namespace {

constexpr Duration kLookEvery = std::chrono::seconds(10);

// The child sees our environment, then what the kubeconfig adds, then what the protocol asks for.
std::vector<std::string> ChildEnvironment(const Surroundings& surroundings,
                                          const ExecPlugin& plugin, const std::string& exec_info) {
  std::map<std::string, std::string> variables = surroundings.env;
  for (const auto& [name, value] : plugin.env) variables[name] = value;
  variables["KUBERNETES_EXEC_INFO"] = exec_info;
  std::vector<std::string> env;
  for (const auto& [name, value] : variables) env.push_back(name + "=" + value);
  return env;
}

std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t start = text.find_first_not_of(kBlanks);
  if (start == text.npos) return {};
  return text.substr(start, text.find_last_not_of(kBlanks) - start + 1);
}

}  // namespace

std::string BearerValue(std::string_view token) { return "Bearer " + std::string(Trimmed(token)); }

std::string BasicValue(std::string_view username, std::string_view password) {
  return "Basic " + EncodeBase64(fmt::format("{}:{}", username, password));
}

AuthSource::AuthSource(const ClientConfig& config, Ports ports)
    : ports_(std::move(ports)), tls_source_(config.tls) {}

Result<std::unique_ptr<AuthSource>> AuthSource::Create(const ClientConfig& config, Ports ports) {
  std::unique_ptr<AuthSource> source(new AuthSource(config, std::move(ports)));
  CHECK_OK(source->Start(config));
  return source;
}

Result<void> AuthSource::Start(const ClientConfig& config) {
  next_look_ = ports_.clock.Elapsed() + kLookEvery;
  TlsFiles files{.ca = {.path = config.tls.ca.file},
                 .client_cert = {.path = config.tls.client_cert.file},
                 .client_key = {.path = config.tls.client_key.file}};
  TRY(net::TlsConfig tls, ReadTls(files));
  base_tls_ = tls;
  SetTls(std::move(tls));
  const bool from_files =
      !files.ca.path.empty() || !files.client_cert.path.empty() || !files.client_key.path.empty();
  if (from_files) tls_files_ = std::move(files);

  if (const auto* token = std::get_if<BearerToken>(&config.credentials)) {
    SetAuthorization(BearerValue(token->token.Reveal()));
  } else if (const auto* basic = std::get_if<BasicAuth>(&config.credentials)) {
    SetAuthorization(BasicValue(basic->username, basic->password.Reveal()));
  } else if (const auto* file = std::get_if<TokenFile>(&config.credentials)) {
    return StartToken(*file);
  } else if (const auto* plugin = std::get_if<ExecPlugin>(&config.credentials)) {
    return StartExec(config, *plugin);
  }
  return {};
}

Result<void> AuthSource::StartToken(const TokenFile& token) {
  token_file_ = WatchedFile{.path = token.path};
  const auto loaded = ReloadToken(true);
  if (loaded) return {};
  if (token.fallback.empty()) return loaded;
  SetAuthorization(BearerValue(token.fallback.Reveal()));
  return {};
}

Result<void> AuthSource::StartExec(const ClientConfig& config, const ExecPlugin& plugin) {
  using Interactive = ExecPlugin::Interactive;
  if (plugin.interactive == Interactive::kAlways && !ports_.interactive) {
    return Fail(
        ErrorKind::kInvalid,
        fmt::format("the exec plugin {} asks questions (interactiveMode Always), but there is "
                    "no terminal; use credentials that need none",
                    plugin.command));
  }
  const bool interactive = ports_.interactive && plugin.interactive != Interactive::kNever;
  ChildCommand command{.program = plugin.command, .args = plugin.args, .interactive = interactive};
  command.env = ChildEnvironment(ports_.surroundings, plugin,
                                 ExecInfo(config, base_tls_.ca_pem, interactive));
  // A person may take a while to find the second factor.
  if (interactive) command.timeout = std::chrono::minutes(10);
  ExecSource::Run run = ports_.run;
  if (!run) {
    run = [&clock = ports_.clock](ChildCommand what) { return RunChild(clock, std::move(what)); };
  }
  exec_ = std::make_unique<ExecSource>(ports_.executor, ports_.clock, plugin, std::move(command),
                                       std::move(run));
  return {};
}

Task<Result<AuthState>> AuthSource::Current() {
  LookAtFiles();
  if (exec_ != nullptr) {
    CO_TRY(const ExecSource::Credential credential, co_await exec_->Get());
    if (credential != applied_) Apply(credential);
  }
  co_return state_;
}

void AuthSource::Invalidate(const AuthState& refused) {
  if (refused.generation != state_.generation) return;
  refused_ = true;
  if (exec_ != nullptr) exec_->Refuse(applied_);
}

void AuthSource::LookAtFiles() {
  if (!token_file_ && !tls_files_) return;
  const SteadyTime now = ports_.clock.Elapsed();
  if (now < next_look_ && !refused_) return;
  next_look_ = now + kLookEvery;
  // A failure is only noted: what we have may still be good, and the next look is soon.
  const auto loaded = Reload(std::exchange(refused_, false));
  problem_ = loaded ? std::nullopt : std::optional(loaded.error());
}

Result<void> AuthSource::Reload(bool force) {
  const auto token = token_file_ ? ReloadToken(force) : Ok();
  const auto tls = tls_files_ ? ReloadTls(force) : Ok();
  return token ? tls : token;
}

Result<void> AuthSource::ReloadToken(bool force) {
  if (!force && !HasChanged(*token_file_)) return {};
  WatchedFile file = *token_file_;
  TRY(std::string text, ReadFile(file, "token"));
  const SecretText token{std::string(Trimmed(text))};
  const SecretText raw(std::move(text));  // wiped
  if (token.empty()) {
    return Fail(ErrorKind::kInvalid, fmt::format("the token file {} is empty", file.path));
  }
  *token_file_ = std::move(file);
  SetAuthorization(BearerValue(token.Reveal()));
  return {};
}

Result<void> AuthSource::ReloadTls(bool force) {
  const TlsFiles& files = *tls_files_;
  const bool changed =
      HasChanged(files.ca) || HasChanged(files.client_cert) || HasChanged(files.client_key);
  if (!force && !changed) return {};
  TlsFiles read = files;
  TRY(net::TlsConfig tls, ReadTls(read));
  CHECK_OK(net::CheckTlsConfig(tls, ports_.clock.Now()));
  tls_files_ = std::move(read);
  base_tls_ = std::move(tls);
  if (applied_ == nullptr) {
    SetTls(base_tls_);
  } else {
    Apply(applied_);
  }
  return {};
}

bool AuthSource::HasChanged(const WatchedFile& file) const {
  return !file.path.empty() && ports_.surroundings.stamp_file(file.path) != file.stamp;
}

Result<std::string> AuthSource::ReadFile(WatchedFile& file, std::string_view what) const {
  // Looked at before it is read: a change in between shows next time.
  const auto stamp = ports_.surroundings.stamp_file(file.path);
  auto text = ports_.surroundings.read_file(file.path);
  if (!text) {
    return Fail(ErrorKind::kInvalid,
                fmt::format("cannot read the {} {}: {}; check the path and who may read it", what,
                            file.path, text.error().message()));
  }
  file.stamp = stamp;
  return text;
}

Result<net::TlsConfig> AuthSource::ReadTls(TlsFiles& files) const {
  net::TlsConfig tls{.ca_pem = tls_source_.ca.pem,
                     .client_cert_pem = tls_source_.client_cert.pem,
                     .client_key_pem = tls_source_.client_key.pem,
                     .server_name = tls_source_.server_name,
                     .insecure_skip_verify = tls_source_.insecure_skip_verify};
  if (!files.ca.path.empty()) {
    TRY(tls.ca_pem, ReadFile(files.ca, "certificate authority"));
  }
  if (!files.client_cert.path.empty()) {
    TRY(tls.client_cert_pem, ReadFile(files.client_cert, "client certificate"));
  }
  if (!files.client_key.path.empty()) {
    TRY(std::string key, ReadFile(files.client_key, "client key"));
    tls.client_key_pem = SecretText(std::move(key));
  }
  return tls;
}

void AuthSource::SetAuthorization(std::string value) {
  SecretText secret(std::move(value));
  if (state_.authorization != nullptr && *state_.authorization == secret) return;
  state_.authorization = std::make_shared<const SecretText>(std::move(secret));
  ++state_.generation;
}

void AuthSource::SetTls(net::TlsConfig tls) {
  if (state_.tls != nullptr && *state_.tls == tls) return;
  state_.tls = std::make_shared<const net::TlsConfig>(std::move(tls));
  ++state_.tls_generation;
  ++state_.generation;
}

void AuthSource::Apply(const ExecSource::Credential& credential) {
  applied_ = credential;
  if (credential->token.empty()) {
    if (state_.authorization != nullptr) ++state_.generation;
    state_.authorization = nullptr;
  } else {
    SetAuthorization(BearerValue(credential->token.Reveal()));
  }
  net::TlsConfig tls = base_tls_;
  if (!credential->client_cert_pem.empty()) {
    tls.client_cert_pem = credential->client_cert_pem;
    tls.client_key_pem = credential->client_key_pem;
  }
  SetTls(std::move(tls));
}

}  // namespace millwright::kube
