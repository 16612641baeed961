#include "apiserver/auth/pki/kubeconfig.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/base64.h"

namespace millwright::apiserver {

namespace {

// What an address consists of, and nothing that YAML would read in another way.
bool IsPlain(std::string_view url) {
  return std::ranges::all_of(url, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-._~:/[]%").find(c) != std::string_view::npos;
  });
}

}  // namespace

Result<std::string> KubeconfigFor(std::string_view server_url, std::string_view ca_pem,
                                  const Identity& client) {
  constexpr std::string_view kScheme = "https://";
  if (!server_url.starts_with(kScheme) || server_url.size() == kScheme.size() ||
      !IsPlain(server_url)) {
    return Fail(ErrorKind::kInvalid, "the address for the kubeconfig is not https://HOST:PORT");
  }
  return fmt::format(R"(apiVersion: v1
kind: Config
current-context: millwright
clusters:
- name: millwright
  cluster:
    server: "{}"
    certificate-authority-data: {}
users:
- name: millwright-admin
  user:
    client-certificate-data: {}
    client-key-data: {}
contexts:
- name: millwright
  context:
    cluster: millwright
    user: millwright-admin
)",
                     server_url, EncodeBase64(ca_pem), EncodeBase64(client.certificate),
                     EncodeBase64(client.key.Reveal()));
}

}  // namespace millwright::apiserver
