#include "apiserver/builtin/json_edit.h"

#include <boost/json.hpp>

namespace millwright::apiserver::builtin {

namespace json = boost::json;

std::string_view TextOf(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  const json::string* text = value == nullptr ? nullptr : value->if_string();
  return text == nullptr ? std::string_view() : std::string_view(*text);
}

bool IsTrue(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  return value != nullptr && value->is_bool() && value->get_bool();
}

const json::object* ObjectOf(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  return value == nullptr ? nullptr : value->if_object();
}

json::object* ObjectOf(json::object& object, std::string_view name) {
  json::value* value = object.if_contains(name);
  return value == nullptr ? nullptr : value->if_object();
}

bool ListIsEmpty(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  return value == nullptr || !value->is_array() || value->get_array().empty();
}

std::vector<std::reference_wrapper<json::object>> ObjectsOf(json::object& object,
                                                            std::string_view name) {
  std::vector<std::reference_wrapper<json::object>> objects;
  json::value* value = object.if_contains(name);
  if (value == nullptr || !value->is_array()) return objects;
  for (json::value& item : value->get_array()) {
    if (item.is_object()) objects.emplace_back(item.get_object());
  }
  return objects;
}

std::vector<std::reference_wrapper<const json::object>> ObjectsOf(const json::object& object,
                                                                  std::string_view name) {
  std::vector<std::reference_wrapper<const json::object>> objects;
  const json::value* value = object.if_contains(name);
  if (value == nullptr || !value->is_array()) return objects;
  for (const json::value& item : value->get_array()) {
    if (item.is_object()) objects.emplace_back(item.get_object());
  }
  return objects;
}

json::object& MakeObject(json::object& object, std::string_view name) {
  json::value& value = object[name];
  return value.is_object() ? value.get_object() : value.emplace_object();
}

json::array& MakeList(json::object& object, std::string_view name) {
  json::value& value = object[name];
  return value.is_array() ? value.get_array() : value.emplace_array();
}

void SetMissing(json::object& object, std::string_view name, const json::value& value) {
  // A copy first: the value may be a member that moves when the object grows.
  json::value copy = value;
  json::value& member = object[name];
  const bool missing = member.is_null() || (member.is_string() && member.get_string().empty());
  if (missing) member = std::move(copy);
}

}  // namespace millwright::apiserver::builtin
