#include "kube/api/schema_validate_lists.h"

#include <map>
#include <vector>

#include <boost/json.hpp>

#include "kube/api/typed_value.h"

namespace millwright::kube {

namespace json = boost::json;

namespace {

void CheckAny(const Schema& schema, const json::value& value, const std::string& path,
              Findings& out);

struct ValueLess {
  bool operator()(const json::value& a, const json::value& b) const {
    return CompareValues(a, b) < 0;
  }
};

void ReportRepeated(const std::vector<json::value>& values, const std::string& path,
                    Findings& out) {
  std::map<json::value, int, ValueLess> seen;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (++seen[values[i]] == 2) out.Add(DuplicateError(PathIndex(path, i), values[i]));
  }
}

json::value KeyOf(const json::object* item, const std::vector<std::string>& names) {
  json::object key;
  for (const auto& name : names) {
    const json::value* part = item == nullptr ? nullptr : item->if_contains(name);
    if (part != nullptr) key[name] = *part;
  }
  return key;
}

void CheckKeys(const Schema& schema, const json::array& list, const std::string& path,
               Findings& out) {
  std::vector<json::value> keys;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!list[i].is_object() && !list[i].is_null()) {
      out.Add(InvalidError(PathIndex(path, i), list[i],
                           "must be an object for an array of list-type map"));
      return;
    }
    keys.push_back(KeyOf(list[i].if_object(), schema.list_map_keys));
  }
  ReportRepeated(keys, path, out);
}

void CheckList(const Schema& schema, const json::array& list, const std::string& path,
               Findings& out) {
  if (schema.list_type == ListType::kSet) {
    ReportRepeated(std::vector<json::value>(list.begin(), list.end()), path, out);
  } else if (schema.list_type == ListType::kMap) {
    CheckKeys(schema, list, path, out);
  }
  if (!schema.items) return;
  for (std::size_t i = 0; i < list.size(); ++i) {
    CheckAny(*schema.items, list[i], PathIndex(path, i), out);
  }
}

void CheckAny(const Schema& schema, const json::value& value, const std::string& path,
              Findings& out) {
  if (const auto* list = value.if_array()) {
    CheckList(schema, *list, path, out);
  } else if (const auto* object = value.if_object()) {
    CheckListTypes(schema, *object, path, out);
  }
}

}  // namespace

void CheckListTypes(const Schema& schema, const json::object& object, const std::string& path,
                    Findings& out) {
  for (const auto& field : object) {
    const std::string_view name = field.key();
    const auto property = schema.properties.find(name);
    if (property != schema.properties.end()) {
      CheckAny(*property->second, field.value(), PathChild(path, name), out);
    } else if (schema.additional) {
      CheckAny(*schema.additional, field.value(), PathKey(path, name), out);
    }
  }
}

}  // namespace millwright::kube
