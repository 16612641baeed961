#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/base64.h"
#include "kube/config/kubeconfig.h"

namespace millwright::kube {

namespace {

Failure Invalid(std::string message) { return Fail(ErrorKind::kInvalid, std::move(message)); }

template <class T>
std::string Names(const std::map<std::string, T>& map) {
  std::string names;
  for (const auto& [name, value] : map) names += (names.empty() ? "" : ", ") + name;
  return names.empty() ? "none" : names;
}

std::string Files(const Kubeconfig& config) {
  return fmt::format("{}", fmt::join(config.files, ":"));
}

// PEM from a `-data` field. The data itself may be a key: it never gets into the message.
Result<std::string> DecodePem(std::string_view data, std::string_view field) {
  auto pem = DecodeBase64(data);
  if (!pem) {
    return Invalid(fmt::format("{} is not base64; write it with base64 -w0", field));
  }
  if (!pem->contains("-----BEGIN ")) {
    return Invalid(fmt::format("{} is base64, but not of a PEM file", field));
  }
  return *std::move(pem);
}

Result<PemSource> ReadPem(const std::string& data, const std::string& file, const char* field) {
  if (data.empty()) return PemSource{.file = file};
  TRY(std::string pem, DecodePem(data, field));
  return PemSource{.pem = std::move(pem)};
}

Result<void> CheckProxy(const std::string& url) {
  static constexpr std::array<std::string_view, 4> kSchemes = {"http://", "https://", "socks5://",
                                                               "socks5h://"};
  const bool known = std::ranges::any_of(
      kSchemes, [&](std::string_view scheme) { return url.starts_with(scheme); });
  // Not shown: it may carry a password.
  if (!known) return Invalid("proxy-url must begin with http://, https:// or socks5://");
  return {};
}

Result<void> UseCluster(const KubeconfigCluster& cluster, ClientConfig& out) {
  if (cluster.server.empty()) return Invalid("it has no server; set one (https://host:6443)");
  TRY(out.tls.ca, ReadPem(cluster.certificate_authority_data, cluster.certificate_authority,
                          "certificate-authority-data"));
  if (cluster.insecure_skip_tls_verify && !out.tls.ca.empty()) {
    return Invalid("it has both a certificate authority and insecure-skip-tls-verify; remove one");
  }
  if (!cluster.proxy_url.empty()) {
    CHECK_OK(CheckProxy(cluster.proxy_url));
    out.proxy_url = cluster.proxy_url;
  }
  out.tls.insecure_skip_verify = cluster.insecure_skip_tls_verify;
  out.tls.server_name = cluster.tls_server_name;
  out.disable_compression = cluster.disable_compression;
  out.server = cluster.server;
  if (!out.server.contains("://")) {
    const bool with_tls = !out.tls.ca.empty() || out.tls.insecure_skip_verify;
    out.server.insert(0, with_tls ? "https://" : "http://");
  }
  while (out.server.ends_with('/')) out.server.pop_back();
  return {};
}

// Who left Kubernetes, and what does the same today.
Failure NoAuthProvider(std::string_view name) {
  struct Replacement {
    std::string_view provider, plugin;
  };
  static constexpr std::array kReplacements = {
      Replacement{"gcp", "gke-gcloud-auth-plugin (gcloud container clusters get-credentials)"},
      Replacement{"azure", "kubelogin (kubelogin convert-kubeconfig)"},
      Replacement{"oidc", "kubectl oidc-login (https://github.com/int128/kubelogin)"},
      Replacement{"openstack", "client-keystone-auth"},
  };
  const auto* const it = std::ranges::find(kReplacements, name, &Replacement::provider);
  const std::string_view plugin = it == kReplacements.end() ? "your provider's" : it->plugin;
  return Invalid(fmt::format(
      "the auth-provider \"{}\" is not supported; use an exec plugin instead: {}", name, plugin));
}

Result<ExecPlugin::Interactive> InteractiveMode(const KubeconfigUser& user) {
  using Interactive = ExecPlugin::Interactive;
  const std::string& mode = user.exec_interactive_mode;
  if (mode == "Never") return Interactive::kNever;
  if (mode == "Always") return Interactive::kAlways;
  // Version 1 asks for it to be said; before, this was the default.
  const bool may_be_missing = !user.exec->api_version.ends_with("/v1");
  if (mode == "IfAvailable" || (mode.empty() && may_be_missing)) return Interactive::kIfAvailable;
  return Invalid("interactiveMode of exec must be Never, IfAvailable or Always");
}

Result<ExecPlugin> UseExec(const KubeconfigUser& user, const KubeconfigCluster& cluster) {
  ExecPlugin plugin = *user.exec;
  if (plugin.command.empty()) return Invalid("exec has no command; set the plugin to run");
  const bool known = plugin.api_version == "client.authentication.k8s.io/v1" ||
                     plugin.api_version == "client.authentication.k8s.io/v1beta1";
  if (!known) {
    return Invalid(
        fmt::format("apiVersion of exec is \"{}\"; it must be client.authentication.k8s.io/v1 "
                    "or v1beta1, so the plugin may have to be updated",
                    plugin.api_version));
  }
  TRY(plugin.interactive, InteractiveMode(user));
  plugin.cluster_config = cluster.exec_config;
  return plugin;
}

Result<Credentials> UseCredentials(const KubeconfigUser& user, const KubeconfigCluster& cluster) {
  const bool basic = !user.username.empty() || !user.password.empty();
  if (!user.token.empty() && basic) {
    return Invalid("it has both a token and a username and password; remove one");
  }
  if (!user.auth_provider.empty()) return NoAuthProvider(user.auth_provider);
  if (!user.token_file.empty()) return TokenFile{.path = user.token_file, .fallback = user.token};
  if (!user.token.empty()) return BearerToken{.token = user.token};
  if (basic) return BasicAuth{.username = user.username, .password = user.password};
  const bool certificate =
      !user.client_certificate.empty() || !user.client_certificate_data.empty();
  // Like kubectl: who has a certificate needs no plugin.
  if (user.exec && !certificate) return UseExec(user, cluster);
  return NoCredentials{};
}

Result<void> UseUser(const KubeconfigUser& user, const KubeconfigCluster& cluster,
                     ClientConfig& out) {
  const Impersonation& as = user.impersonation;
  const bool partial = !as.uid.empty() || !as.groups.empty() || !as.extra.empty();
  if (as.user.empty() && partial) {
    return Invalid("as-uid, as-groups and as-user-extra need \"as\" to name a user");
  }
  out.impersonation = as;
  // Credentials are not for everybody on the way to read.
  if (!out.server.starts_with("https://")) return {};
  TRY(out.tls.client_cert,
      ReadPem(user.client_certificate_data, user.client_certificate, "client-certificate-data"));
  out.tls.client_key.file = user.client_key;
  if (!user.client_key_data.empty()) {
    TRY(std::string pem, DecodePem(user.client_key_data.Reveal(), "client-key-data"));
    out.tls.client_key = {.pem = SecretText(std::move(pem))};
  }
  if (out.tls.client_cert.empty()) {
    out.tls.client_key = {};  // of no use alone
  } else if (out.tls.client_key.empty()) {
    return Invalid("it has a client certificate but neither client-key nor client-key-data");
  }
  TRY(out.credentials, UseCredentials(user, cluster));
  return {};
}

Result<std::string> ChooseContext(const Kubeconfig& config, std::string_view wanted) {
  if (config.contexts.empty() && config.clusters.empty() && config.users.empty()) {
    return Invalid(
        fmt::format("the kubeconfig {} is empty; name another with --kubeconfig", Files(config)));
  }
  const std::string name(wanted.empty() ? config.current_context : wanted);
  if (name.empty()) {
    return Invalid(fmt::format("{} sets no current-context; choose one with --context: {}",
                               Files(config), Names(config.contexts)));
  }
  if (!config.contexts.contains(name)) {
    return Failure(
        Error(ErrorKind::kInvalid, fmt::format("there is no context \"{}\" in {}; there are: {}",
                                               name, Files(config), Names(config.contexts)))
            .WithDetail(std::make_shared<UnknownContext>()));
  }
  return name;
}

template <class T>
Result<const T*> Referred(const std::map<std::string, T>& map, const std::string& name,
                          const char* what) {
  if (name.empty()) return Invalid(fmt::format("it names no {}; there are: {}", what, Names(map)));
  const auto it = map.find(name);
  if (it != map.end()) return &it->second;
  return Invalid(fmt::format("it refers to the {} \"{}\", which does not exist; there are: {}",
                             what, name, Names(map)));
}

}  // namespace

Result<ClientConfig> Resolve(const Kubeconfig& config, std::string_view context) {
  TRY(const std::string name, ChooseContext(config, context));
  const KubeconfigContext& chosen = config.contexts.at(name);
  const auto wrap = [&](Error error, const char* what, const std::string& which) {
    return Failure(std::move(error).Wrap(fmt::format("{}: {} \"{}\"", Files(config), what, which)));
  };
  const auto cluster = Referred(config.clusters, chosen.cluster, "cluster");
  if (!cluster) return wrap(cluster.error(), "context", name);
  const auto user = Referred(config.users, chosen.user, "user");
  if (!user) return wrap(user.error(), "context", name);

  ClientConfig out{.origin = fmt::format("context {} in {}", name, Files(config))};
  if (!chosen.name_space.empty()) out.name_space = chosen.name_space;
  if (const auto used = UseCluster(**cluster, out); !used) {
    return wrap(used.error(), "cluster", chosen.cluster);
  }
  if (const auto used = UseUser(**user, **cluster, out); !used) {
    return wrap(used.error(), "user", chosen.user);
  }
  return out;
}

}  // namespace millwright::kube
