#include "kube/config/load.h"

#include <algorithm>
#include <ranges>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace millwright::kube {

namespace {

constexpr const char* kServiceAccount = "/var/run/secrets/kubernetes.io/serviceaccount";

Result<Kubeconfig> ReadKubeconfig(const std::string& path, const Surroundings& surroundings) {
  const auto text = surroundings.read_file(path);
  if (!text) {
    const bool missing = text.error().kind() == ErrorKind::kNotFound;
    return Fail(text.error().kind(),
                fmt::format("cannot read the kubeconfig {}: {}; check {}", path,
                            text.error().message(), missing ? "the path" : "who may read it"));
  }
  return ParseKubeconfig(*text, path);
}

// $KUBECONFIG, in order and each once.
std::vector<std::string> ListedFiles(const std::string& list) {
  std::vector<std::string> files;
  for (const auto part : std::views::split(list, ':')) {
    std::string file(std::string_view(part.begin(), part.end()));
    if (!file.empty() && std::ranges::find(files, file) == files.end())
      files.push_back(std::move(file));
  }
  return files;
}

Result<Kubeconfig> ReadListed(const std::string& list, const Surroundings& surroundings) {
  std::vector<Kubeconfig> configs;
  for (const std::string& file : ListedFiles(list)) {
    auto config = ReadKubeconfig(file, surroundings);
    if (config) {
      configs.push_back(*std::move(config));
    } else if (config.error().kind() != ErrorKind::kNotFound) {
      return config;
    }
  }
  if (configs.empty()) {
    return Fail(
        ErrorKind::kNotFound,
        fmt::format("none of the files in $KUBECONFIG exists ({}); correct or unset it", list));
  }
  return MergeKubeconfigs(std::move(configs));
}

std::string Trimmed(std::string text) {
  text.erase(text.find_last_not_of(" \t\r\n") + 1);
  return text;
}

// None if we do not run in a pod, or in one without a service account.
std::optional<ClientConfig> InCluster(const Surroundings& surroundings) {
  const std::string host = surroundings.Env("KUBERNETES_SERVICE_HOST");
  const std::string port = surroundings.Env("KUBERNETES_SERVICE_PORT");
  if (host.empty() || port.empty()) return std::nullopt;
  const std::string folder = kServiceAccount;
  if (!surroundings.read_file(folder + "/token")) return std::nullopt;

  ClientConfig config{.origin = "the service account of this pod"};
  const bool is_ipv6 = host.contains(':');
  config.server =
      fmt::format("https://{}{}{}:{}", is_ipv6 ? "[" : "", host, is_ipv6 ? "]" : "", port);
  config.credentials = TokenFile{.path = folder + "/token"};
  if (surroundings.read_file(folder + "/ca.crt")) config.tls.ca.file = folder + "/ca.crt";
  if (const auto name = surroundings.read_file(folder + "/namespace"); name && !name->empty()) {
    config.name_space = Trimmed(*name);
  }
  return config;
}

std::string HomeFile(const Surroundings& surroundings) {
  const std::string home = surroundings.Env("HOME");
  return home.empty() ? std::string() : home + "/.kube/config";
}

Failure NothingFound(const Surroundings& surroundings) {
  const std::string home = HomeFile(surroundings);
  return Fail(
      ErrorKind::kNotFound,
      fmt::format("no cluster is configured: $KUBECONFIG is not set, we do not run in a pod with "
                  "a service account, and {}; name a file with --kubeconfig",
                  home.empty() ? "$HOME is not set" : home + " does not exist"));
}

bool FollowsAnExplicitWish(const LoadOptions& options, const Surroundings& surroundings) {
  return !options.kubeconfig.empty() || !surroundings.Env("KUBECONFIG").empty() ||
         !options.context.empty();
}

}  // namespace

Result<Kubeconfig> LoadKubeconfig(const LoadOptions& options, const Surroundings& surroundings) {
  if (!options.kubeconfig.empty()) return ReadKubeconfig(options.kubeconfig, surroundings);
  const std::string list = surroundings.Env("KUBECONFIG");
  if (!list.empty()) return ReadListed(list, surroundings);
  const std::string home = HomeFile(surroundings);
  if (home.empty()) return NothingFound(surroundings);
  auto config = ReadKubeconfig(home, surroundings);
  const bool missing = !config && config.error().kind() == ErrorKind::kNotFound;
  if (missing) return NothingFound(surroundings);
  return config;
}

Result<ClientConfig> LoadClientConfig(const LoadOptions& options,
                                      const Surroundings& surroundings) {
  if (!FollowsAnExplicitWish(options, surroundings)) {
    if (auto config = InCluster(surroundings)) return *std::move(config);
  }
  TRY(const Kubeconfig config, LoadKubeconfig(options, surroundings));
  return Resolve(config, options.context);
}

}  // namespace millwright::kube
