#include "apiserver/auth/certificates/request_object.h"

#include <boost/json.hpp>

#include "apiserver/auth/authz/policy_rule.h"
#include "base/base64.h"
#include "kube/api/json_text.h"

namespace millwright::apiserver {

namespace json = boost::json;

Result<SigningRequest> RequestIn(const json::value& object) {
  const auto pem = DecodeBase64(kube::GetString(object, "spec.request"));
  return ParseSigningRequest(pem.value_or(""));
}

std::vector<json::value> ConditionsOf(const json::value& object, std::string_view type) {
  std::vector<json::value> found;
  const json::array* conditions = kube::GetArray(object, "status.conditions");
  if (conditions == nullptr) return found;
  for (const json::value& condition : *conditions) {
    if (kube::GetString(condition, "type") == type) found.push_back(condition);
  }
  return found;
}

bool HasCondition(const json::value& object, std::string_view type) {
  return !ConditionsOf(object, type).empty();
}

json::object& StatusIn(json::value& object) {
  json::value& status = object.get_object()["status"];
  if (!status.is_object()) status = json::object();
  return status.get_object();
}

void AddCondition(json::value& object, std::string_view type, std::string_view reason,
                  std::string_view message, WallTime now) {
  json::value& conditions = StatusIn(object)["conditions"];
  if (!conditions.is_array()) conditions = json::array();
  conditions.get_array().emplace_back(json::object{{"type", type},
                                                   {"status", "True"},
                                                   {"reason", reason},
                                                   {"message", message},
                                                   {"lastUpdateTime", FormatTime(now)},
                                                   {"lastTransitionTime", FormatTime(now)}});
}

User RequesterOf(const json::value& object) {
  User user{.name = std::string(kube::GetString(object, "spec.username")),
            .uid = std::string(kube::GetString(object, "spec.uid")),
            .groups = ReadTexts(kube::Find(object, "spec.groups"))};
  if (const json::object* extra = kube::GetObject(object, "spec.extra")) {
    for (const auto& [key, values] : *extra) user.extra[key] = ReadTexts(&values);
  }
  return user;
}

}  // namespace millwright::apiserver
