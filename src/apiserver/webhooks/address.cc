#include "apiserver/webhooks/address.h"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "base/base64.h"
#include "kube/api/json_text.h"

namespace millwright::apiserver {

namespace json = boost::json;

WebhookAddress AddressOf(const json::value& client_config) {
  WebhookAddress address;
  const auto ca = DecodeBase64(kube::GetString(client_config, "caBundle"));
  if (ca) address.ca_certificates = *ca;
  address.url = kube::GetString(client_config, "url");
  const json::value* service = kube::Find(client_config, "service");
  if (service == nullptr || !service->is_object()) return address;
  address.service = {.namespace_ = std::string(kube::GetString(*service, "namespace")),
                     .name = std::string(kube::GetString(*service, "name")),
                     .port = kube::GetInt(*service, "port", 443)};
  address.server_name =
      fmt::format("{}.{}.svc", address.service->name, address.service->namespace_);
  std::string_view path = kube::GetString(*service, "path");
  if (path.starts_with('/')) path.remove_prefix(1);
  address.url = fmt::format("https://{}:{}/{}", address.server_name, address.service->port, path);
  return address;
}

std::string_view OriginOf(std::string_view url) {
  const auto scheme = url.find("://");
  return url.substr(0, url.find('/', scheme == url.npos ? 0 : scheme + 3));
}

std::string TargetOf(std::string_view url) {
  const std::string_view target = url.substr(OriginOf(url).size());
  return target.empty() ? "/" : std::string(target);
}

}  // namespace millwright::apiserver
