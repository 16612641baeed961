#include "apiserver/crd/conditions.h"

#include <algorithm>

#include <boost/json.hpp>

#include "kube/api/json_text.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

json::array& ConditionsOf(json::value& crd) {
  json::value& conditions = StatusOfCrd(crd)["conditions"];
  if (!conditions.is_array()) conditions = json::array();
  return conditions.get_array();
}

bool IsOfType(const json::value& condition, std::string_view type) {
  return condition.is_object() && kube::GetString(condition, "type") == type;
}

}  // namespace

json::object& StatusOfCrd(json::value& crd) {
  json::value& status = crd.get_object()["status"];
  if (!status.is_object()) status = json::object();
  return status.get_object();
}

const json::value* FindCondition(const json::value& crd, std::string_view type) {
  const json::array* conditions = kube::GetArray(crd, "status.conditions");
  if (conditions == nullptr) return nullptr;
  const auto found = std::ranges::find_if(
      *conditions, [&](const json::value& condition) { return IsOfType(condition, type); });
  return found == conditions->end() ? nullptr : &*found;
}

bool IsConditionTrue(const json::value& crd, std::string_view type) {
  const json::value* condition = FindCondition(crd, type);
  return condition != nullptr && kube::GetString(*condition, "status") == "True";
}

bool HasCondition(const json::value& crd, const CrdCondition& condition) {
  const json::value* found = FindCondition(crd, condition.type);
  return found != nullptr && kube::GetString(*found, "status") == condition.status &&
         kube::GetString(*found, "reason") == condition.reason &&
         kube::GetString(*found, "message") == condition.message;
}

void SetCondition(json::value& crd, const CrdCondition& condition, WallTime now) {
  json::array& conditions = ConditionsOf(crd);
  auto found = std::ranges::find_if(
      conditions, [&](const json::value& other) { return IsOfType(other, condition.type); });
  if (found == conditions.end()) {
    conditions.push_back(json::object{{"type", condition.type}});
    found = conditions.end() - 1;
  }
  json::object& target = found->get_object();
  const bool turned = kube::GetString(*found, "status") != condition.status ||
                      kube::GetString(*found, "lastTransitionTime").empty();
  target["status"] = condition.status;
  if (turned) target["lastTransitionTime"] = FormatTime(now);
  target["reason"] = condition.reason;
  target["message"] = condition.message;
}

void RemoveCondition(json::value& crd, std::string_view type) {
  json::array kept;
  for (json::value& condition : ConditionsOf(crd)) {
    if (!IsOfType(condition, type)) kept.push_back(std::move(condition));
  }
  ConditionsOf(crd) = std::move(kept);
}

}  // namespace millwright::apiserver
