#include "apiserver/discovery/openapi/text.h"

#include <boost/json.hpp>

#include "apiserver/discovery/version.h"

namespace millwright::apiserver::openapi {

namespace json = boost::json;

void MemberWriter::Add(std::string_view name, const json::object& value) {
  if (!first_) text_ += ',';
  first_ = false;
  text_ += json::serialize(json::string(name));
  text_ += ':';
  text_ += json::serialize(value);
}

void AddExtensions(const Operation& operation, json::object& document) {
  const auto& [group, version, kind] = operation.kind;
  document["x-kubernetes-action"] = operation.action;
  document["x-kubernetes-group-version-kind"] =
      json::object{{"group", group}, {"kind", kind}, {"version", version}};
}

std::string_view CodeText(std::string_view http_status) {
  if (http_status == "200") return "OK";
  if (http_status == "201") return "Created";
  if (http_status == "202") return "Accepted";
  return "Unauthorized";
}

std::string InfoText() {
  return json::serialize(
      json::object{{"title", "Kubernetes"}, {"version", kKubernetesMinorVersion}});
}

std::string SecurityText() {
  return json::serialize(json::object{
      {"BearerToken", json::object{{"type", "apiKey"},
                                   {"description", "A bearer token, or a client certificate."},
                                   {"name", "authorization"},
                                   {"in", "header"}}}});
}

}  // namespace millwright::apiserver::openapi
