#include "controllers/contract/cluster/kubeconfig_secret.h"

#include <boost/json.hpp>

#include <chrono>

#include "apiserver/auth/pki/certificate.h"
#include "apiserver/auth/pki/private_key.h"
#include "base/base64.h"
#include "controllers/contract/external/owners.h"
#include "dialects/capi/names.h"
#include "kube/api/json_text.h"

namespace millwright::controllers::contract {

namespace capi = dialects::capi;
namespace json = boost::json;

namespace {

constexpr Duration kValid = std::chrono::hours(24 * 365);
constexpr Duration kSkew = std::chrono::minutes(5);  // between our clock and the cluster's
constexpr std::string_view kSecretType = "cluster.x-k8s.io/secret";

std::string Url(const capi::ClusterRecord& cluster) {
  const std::string& host = cluster.endpoint_host;
  const bool is_ipv6 = host.find(':') != std::string::npos && !host.starts_with('[');
  return "https://" + (is_ipv6 ? "[" + host + "]" : host) + ":" +
         std::to_string(cluster.endpoint_port);
}

}  // namespace

Result<ClusterAuthority> ReadAuthority(const std::string& secret) {
  TRY(const json::value tree, kube::ParseJson(secret));
  const json::object* data = kube::GetObject(tree, "data");
  const auto text = [data](std::string_view key) -> std::optional<std::string> {
    const json::value* value = data == nullptr ? nullptr : data->if_contains(key);
    if (value == nullptr || !value->is_string()) return std::nullopt;
    const auto bytes = DecodeBase64(value->as_string());
    return bytes ? std::optional(*bytes) : std::nullopt;
  };
  std::optional<std::string> certificate = text("tls.crt");
  std::optional<std::string> key = text("tls.key");
  if (!certificate || !key) {
    return Fail(ErrorKind::kInvalid, "the secret has no tls.crt and tls.key");
  }
  return ClusterAuthority{*std::move(certificate), SecretText(*std::move(key))};
}

Result<SecretText> MakeKubeconfig(const capi::ClusterRecord& cluster,
                                  const ClusterAuthority& authority, WallTime now, Random& random) {
  TRY(const auto ca, apiserver::Certificate::Parse(authority.certificate));
  TRY(const auto ca_key, apiserver::PrivateKey::Parse(authority.key.Reveal()));
  const auto key = apiserver::PrivateKey::Generate();
  const auto certificate = apiserver::IssueCertificate(
      {.common_name = "kubernetes-admin",
       .organizations = {"system:masters"},
       .usages = {"digital signature", "key encipherment", "client auth"},
       .begins = now - kSkew,
       .ends = now + kValid},
      key.get(), {ca, ca_key}, random);
  const std::string& name = cluster.meta.key.name;
  const std::string user = name + "-admin";
  const std::string context = user + "@" + name;
  // JSON is YAML, and needs no care with quotes.
  return SecretText(json::serialize(json::object{
      {"apiVersion", "v1"},
      {"kind", "Config"},
      {"current-context", context},
      {"clusters",
       json::array{json::object{{"name", name},
                                {"cluster", json::object{{"server", Url(cluster)},
                                                         {"certificate-authority-data",
                                                          EncodeBase64(authority.certificate)}}}}}},
      {"users",
       json::array{json::object{
           {"name", user},
           {"user", json::object{{"client-certificate-data", EncodeBase64(certificate.Pem())},
                                 {"client-key-data", EncodeBase64(key.Pem().Reveal())}}}}}},
      {"contexts",
       json::array{json::object{{"name", context},
                                {"context", json::object{{"cluster", name}, {"user", user}}}}}}}));
}

SecretText KubeconfigSecret(const capi::ClusterRecord& cluster, const SecretText& kubeconfig) {
  json::object labels;
  labels[capi::labels::kCluster] = cluster.meta.key.name;
  json::array owners;
  owners.push_back(
      kube::EncodeOwnerReference(OwnerReferenceTo(capi::kClusterKind, cluster.meta, false)));
  return SecretText(json::serialize(
      json::object{{"apiVersion", "v1"},
                   {"kind", "Secret"},
                   {"type", kSecretType},
                   {"metadata", json::object{{"name", cluster.meta.key.name + "-kubeconfig"},
                                             {"namespace", cluster.meta.key.namespace_},
                                             {"labels", std::move(labels)},
                                             {"ownerReferences", std::move(owners)}}},
                   {"data", json::object{{"value", EncodeBase64(kubeconfig.Reveal())}}}}));
}

}  // namespace millwright::controllers::contract
