#include "dialects/capi/json_path.h"

#include <algorithm>

namespace millwright::dialects::capi {

namespace json = boost::json;

namespace {

struct Step {
  std::string_view name;
  std::string_view rest;  // empty: this is the last
};

Step FirstStep(std::string_view path) {
  const size_t dot = std::min(path.find('.'), path.size());
  return {path.substr(0, dot), path.substr(std::min(dot + 1, path.size()))};
}

}  // namespace

const json::value* FindPath(const json::object& root, std::string_view path) {
  const Step step = FirstStep(path);
  const json::value* value = root.if_contains(step.name);
  if (value == nullptr || step.rest.empty()) return value;
  return value->is_object() ? FindPath(value->get_object(), step.rest) : nullptr;
}

json::value* FindPath(json::object& root, std::string_view path) {
  return const_cast<json::value*>(FindPath(std::as_const(root), path));
}

std::string_view TextAtPath(const json::object& root, std::string_view path) {
  const json::value* value = FindPath(root, path);
  if (value == nullptr || !value->is_string()) return {};
  return value->get_string();
}

std::optional<json::value> TakePath(json::object& root, std::string_view path) {
  const Step step = FirstStep(path);
  json::value* value = root.if_contains(step.name);
  if (value == nullptr) return std::nullopt;
  std::optional<json::value> taken;
  if (step.rest.empty()) {
    if (!value->is_null()) taken = std::move(*value);
    root.erase(step.name);
    return taken;
  }
  if (!value->is_object()) return std::nullopt;
  taken = TakePath(value->get_object(), step.rest);
  if (taken && value->get_object().empty()) root.erase(step.name);
  return taken;
}

void PutPath(json::object& root, std::string_view path, json::value value) {
  const Step step = FirstStep(path);
  json::value& member = root[step.name];
  if (step.rest.empty()) {
    member = std::move(value);
    return;
  }
  if (!member.is_object()) member = json::object();
  PutPath(member.get_object(), step.rest, std::move(value));
}

void DropIfEmpty(json::object& root, std::string_view path) {
  const json::value* value = FindPath(root, path);
  const bool empty = value != nullptr && value->is_object() && value->get_object().empty();
  if (empty) TakePath(root, path);
}

}  // namespace millwright::dialects::capi
