#include "kube/config/exec_credential.h"

#include <utility>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "base/base64.h"
#include "kube/yaml/yaml.h"

namespace millwright::kube {

namespace json = boost::json;

namespace {

json::object ClusterInfo(const ClientConfig& config, std::string_view ca_pem) {
  json::object cluster = {{"server", config.server}};
  if (!config.tls.server_name.empty()) cluster["tls-server-name"] = config.tls.server_name;
  if (config.tls.insecure_skip_verify) cluster["insecure-skip-tls-verify"] = true;
  if (!ca_pem.empty()) cluster["certificate-authority-data"] = EncodeBase64(ca_pem);
  if (config.proxy_url) cluster["proxy-url"] = *config.proxy_url;
  if (config.disable_compression) cluster["disable-compression"] = true;
  cluster["config"] = std::get<ExecPlugin>(config.credentials).cluster_config;
  return cluster;
}

// A field of text; empty if it is missing.
Result<std::string> Text(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  if (value == nullptr || value->is_null()) return std::string();
  if (const json::string* text = value->if_string()) return std::string(*text);
  return Fail(ErrorKind::kInvalid, fmt::format("\"{}\" is not text", key));
}

Result<ExecCredential> ParseStatus(const json::object& status) {
  ExecCredential credential;
  TRY(std::string token, Text(status, "token"));
  TRY(credential.client_cert_pem, Text(status, "clientCertificateData"));
  TRY(std::string key, Text(status, "clientKeyData"));
  TRY(const std::string expires, Text(status, "expirationTimestamp"));
  if (credential.client_cert_pem.empty() != key.empty()) {
    return Fail(ErrorKind::kInvalid, "it has a certificate or a key, but not both");
  }
  if (token.empty() && key.empty()) {
    return Fail(ErrorKind::kInvalid, "it has neither a token nor a certificate with its key");
  }
  if (!expires.empty()) {
    const auto time = ParseTime(expires);
    if (!time) return Fail(ErrorKind::kInvalid, "its expirationTimestamp is not a time");
    credential.expires = *time;
  }
  credential.token = SecretText(std::move(token));
  credential.client_key_pem = SecretText(std::move(key));
  return credential;
}

}  // namespace

std::string ExecInfo(const ClientConfig& config, std::string_view ca_pem, bool interactive) {
  const auto& plugin = std::get<ExecPlugin>(config.credentials);
  json::object spec = {{"interactive", interactive}};
  if (plugin.provide_cluster_info) spec["cluster"] = ClusterInfo(config, ca_pem);
  return json::serialize(json::object{
      {"kind", "ExecCredential"}, {"apiVersion", plugin.api_version}, {"spec", std::move(spec)}});
}

Result<ExecCredential> ParseExecCredential(std::string_view text, std::string_view api_version) {
  TRY(const json::value root, ParseYaml(text, "what it printed"));
  const json::object* object = root.if_object();
  if (object == nullptr) return Fail(ErrorKind::kInvalid, "it printed no ExecCredential");
  TRY(const std::string kind, Text(*object, "kind"));
  TRY(const std::string version, Text(*object, "apiVersion"));
  if (kind != "ExecCredential") return Fail(ErrorKind::kInvalid, "it printed no ExecCredential");
  if (version != api_version) {
    return Fail(ErrorKind::kInvalid,
                fmt::format("it printed version \"{}\" where the kubeconfig asks for {}", version,
                            api_version));
  }
  const json::value* status = object->if_contains("status");
  if (status == nullptr || !status->is_object()) {
    return Fail(ErrorKind::kInvalid, "its ExecCredential has no status");
  }
  return ParseStatus(status->get_object());
}

}  // namespace millwright::kube
