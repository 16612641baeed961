#include "dialects/gardener/shown_conditions.h"

#include <algorithm>
#include <cstdint>

#include "kube/api/json_text.h"

namespace millwright::dialects::gardener {

namespace json = boost::json;

namespace {

bool IsOfType(const json::value& condition, std::string_view type) {
  return kube::GetString(condition, "type") == type;
}

}  // namespace

json::array ShownConditions(const json::value& status, std::string_view list) {
  const json::array* shown = kube::GetArray(status, list);
  return shown != nullptr ? *shown : json::array();
}

const json::object* FindShown(const json::array& conditions, std::string_view type) {
  for (const json::value& condition : conditions) {
    if (IsOfType(condition, type)) return condition.if_object();
  }
  return nullptr;
}

void PutCondition(json::array& conditions, json::object condition) {
  const std::string type(condition.at("type").as_string());
  for (json::value& shown : conditions) {
    if (!IsOfType(shown, type)) continue;
    shown = std::move(condition);
    return;
  }
  conditions.push_back(std::move(condition));
}

void DropCondition(json::array& conditions, std::string_view type) {
  json::array kept;
  for (json::value& condition : conditions) {
    if (!IsOfType(condition, type)) kept.push_back(std::move(condition));
  }
  conditions = std::move(kept);
}

int StatusCount(const json::value& status, std::string_view field) {
  const std::int64_t count = kube::GetInt(status, field);
  return static_cast<int>(std::clamp<std::int64_t>(count, INT32_MIN, INT32_MAX));
}

json::value StatusTree(std::string_view text) {
  if (text.empty()) return json::object();
  auto parsed = kube::ParseJson(text);
  return parsed ? *std::move(parsed) : json::value(json::object());
}

}  // namespace millwright::dialects::gardener
