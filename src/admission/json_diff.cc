#include "admission/json_diff.h"

#include <boost/json/value.hpp>

#include <string>

namespace millwright::admission {

namespace json = boost::json;

namespace {

// A step of a JSON pointer: two characters mean something in it.
std::string Escaped(std::string_view key) {
  std::string escaped;
  for (const char c : key) {
    if (c == '~') {
      escaped += "~0";
    } else if (c == '/') {
      escaped += "~1";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

void Diff(const std::string& path, const json::object& before, const json::object& after,
          json::array& operations) {
  for (const auto& [key, value] : before) {
    if (!after.contains(key)) {
      operations.push_back(json::object{{"op", "remove"}, {"path", path + "/" + Escaped(key)}});
    }
  }
  for (const auto& [key, value] : after) {
    const std::string at = path + "/" + Escaped(key);
    const json::value* old = before.if_contains(key);
    if (old == nullptr) {
      operations.push_back(json::object{{"op", "add"}, {"path", at}, {"value", value}});
    } else if (old->is_object() && value.is_object()) {
      Diff(at, old->get_object(), value.get_object(), operations);
    } else if (*old != value) {
      operations.push_back(json::object{{"op", "replace"}, {"path", at}, {"value", value}});
    }
  }
}

}  // namespace

json::array DiffObjects(const json::object& before, const json::object& after) {
  json::array operations;
  Diff("", before, after, operations);
  return operations;
}

}  // namespace millwright::admission
