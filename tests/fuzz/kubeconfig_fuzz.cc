// A kubeconfig from anybody, and what an exec plugin might print: no crash, and no secret in an
// error.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <variant>

#include "kube/config/exec_credential.h"
#include "kube/config/kubeconfig.h"
#include "tests/fuzz/token_text.h"

namespace {

using namespace millwright::kube;

// Flow style, so that tokens in any order are soon a document.
constexpr std::string_view kTokens[] = {
    "{",
    "}",
    "[",
    "]",
    ",",
    ": ",
    "\n",
    "  ",
    "- ",
    "null",
    "true",
    "7",
    "a",
    "\"b c\"",
    "a-long-password",
    "{name: a, ",
    "clusters: [{name: a, cluster: {",
    "users: [{name: a, user: {",
    "contexts: [{name: a, context: {",
    "current-context: a",
    "cluster: a",
    "user: a",
    "namespace: n",
    "server: https://h:6443",
    "server: ",
    "proxy-url: http://p",
    "tls-server-name: h",
    "insecure-skip-tls-verify: true",
    "certificate-authority: ca.pem",
    "certificate-authority-data: YQ==",
    "client-certificate-data: YQ==",
    "client-key-data: YQ==",
    "client-certificate: c.pem",
    "client-key: k.pem",
    "token: t",
    "tokenFile: f",
    "username: u",
    "password: a-long-password",
    "auth-provider: {name: gcp}",
    "as: jane",
    "as-groups: [g]",
    "exec: {command: c, apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never",
    "args: [x]",
    "env: [{name: A, value: b}]",
    "provideClusterInfo: true",
    "extensions: []",
    "}}]",
    "}]",
    R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{)",
    R"("token":"t")",
    R"("expirationTimestamp":"2026-01-01T00:00:00Z")",
    R"("clientCertificateData":"c")",
    R"("clientKeyData":"k")"};

void ResolveAll(const Kubeconfig& config) {
  (void)Resolve(config);
  for (const auto& [name, context] : config.contexts) {
    const auto resolved = Resolve(config, name);
    if (!resolved) continue;
    // Whatever came through must be fit for use.
    if (!resolved->server.contains("://") || resolved->name_space.empty()) std::abort();
    if (std::holds_alternative<ExecPlugin>(resolved->credentials)) {
      (void)ExecInfo(*resolved, resolved->tls.ca.pem, false);
    }
  }
}

void CheckNoLeak(const Kubeconfig& config) {
  for (const auto& [user_name, user] : config.users) {
    const std::string& password = user.password.Reveal();
    // A short one may stand in any message by chance.
    if (password.size() < 12) continue;
    for (const auto& [context_name, context] : config.contexts) {
      const auto resolved = Resolve(config, context_name);
      if (resolved || !resolved.error().message().contains(password)) continue;
      // Names are shown, also if they happen to be the password.
      bool in_a_name = false;
      for (const auto& [name, other] : config.users) in_a_name |= name.contains(password);
      for (const auto& [name, other] : config.clusters) in_a_name |= name.contains(password);
      for (const auto& [name, other] : config.contexts) {
        in_a_name |= name.contains(password) || other.user.contains(password) ||
                     other.cluster.contains(password);
      }
      in_a_name |= user.auth_provider.contains(password);
      in_a_name |= user.exec && user.exec->api_version.contains(password);
      if (!in_a_name) std::abort();
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = millwright::fuzz::TokenText(data, size, kTokens);
  (void)ParseExecCredential(text, "client.authentication.k8s.io/v1");
  const auto config = ParseKubeconfig(text, "/dir/config");
  if (!config) return 0;
  ResolveAll(*config);
  ResolveAll(MergeKubeconfigs({*config, *config}));
  CheckNoLeak(*config);
  return 0;
}
