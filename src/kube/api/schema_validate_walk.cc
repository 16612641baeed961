#include "kube/api/schema_validate_walk.h"

#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "kube/api/schema_validate_scalar.h"
#include "kube/api/typed_text.h"
#include "kube/api/typed_value.h"

namespace millwright::kube {

namespace json = boost::json;

namespace {

FieldError TooMany(const std::string& path, std::size_t actual, std::int64_t limit) {
  return {.type = FieldErrorType::kTooMany,
          .field = path,
          .bad_value = std::to_string(actual),
          .detail = fmt::format("must have at most {} {}", limit, limit == 1 ? "item" : "items")};
}

FieldError TooFew(const std::string& path, std::size_t actual, std::int64_t limit,
                  std::string_view what) {
  return InvalidError(path, json::value(actual),
                      fmt::format("{} in body should have at least {} {}", path, limit, what));
}

bool IsUnder(std::size_t actual, const std::optional<std::int64_t>& limit) {
  return limit && std::cmp_less(actual, *limit);
}

bool IsOver(std::size_t actual, const std::optional<std::int64_t>& limit) {
  return limit && std::cmp_greater(actual, *limit);
}

// The old items by their keys. Items of other lists have no identity, so nothing is known about
// their past.
class OldItems {
 public:
  OldItems(const Schema& schema, const json::value* old) : keys_(schema.list_map_keys) {
    const auto* list = old == nullptr ? nullptr : old->if_array();
    if (list == nullptr || schema.list_type != ListType::kMap) return;
    for (const auto& item : *list) items_.emplace(KeyOf(item), &item);
  }

  const json::value* Find(const json::value& item) const {
    if (items_.empty()) return nullptr;
    const auto found = items_.find(KeyOf(item));
    return found == items_.end() ? nullptr : found->second;
  }

 private:
  std::string KeyOf(const json::value& item) const {
    const auto* object = item.if_object();
    std::string key;
    for (const auto& name : keys_) {
      const json::value* part = object == nullptr ? nullptr : object->if_contains(name);
      key += (part == nullptr ? std::string() : JsonText(*part)) + ",";
    }
    return key;
  }

  const std::vector<std::string>& keys_;
  std::map<std::string, const json::value*> items_;
};

struct ValueLess {
  bool operator()(const json::value* a, const json::value* b) const {
    return CompareValues(*a, *b) < 0;
  }
};

bool HasDuplicates(const json::array& list) {
  std::set<const json::value*, ValueLess> seen;
  for (const auto& item : list) {
    if (!seen.insert(&item).second) return true;
  }
  return false;
}

Findings CheckList(const Schema& schema, const json::array& list, const Spot& spot) {
  Findings out;
  if (schema.items) {
    const OldItems old(schema, spot.old);
    for (std::size_t i = 0; i < list.size(); ++i) {
      out.Merge(CheckChanged(*schema.items, list[i], {PathIndex(spot.path, i), old.Find(list[i])}));
    }
  }
  const ValueChecks& checks = schema.checks;
  if (IsUnder(list.size(), checks.min_items)) {
    out.Add(TooFew(spot.path, list.size(), *checks.min_items, "items"));
  }
  if (IsOver(list.size(), checks.max_items)) {
    out.Add(TooMany(spot.path, list.size(), *checks.max_items));
  }
  if (checks.unique_items && HasDuplicates(list)) {
    out.Add(InvalidError(spot.path, json::value(""),
                         fmt::format("{} in body shouldn't contain duplicates", spot.path)));
  }
  ++out.passed;
  return out;
}

Spot ChildSpot(const Spot& parent, std::string_view name) {
  const auto* old = parent.old == nullptr ? nullptr : parent.old->if_object();
  // What an object is must always be right: a wrong apiVersion or kind is never let through.
  const bool fixed = parent.path.empty() && (name == "apiVersion" || name == "kind");
  return {PathChild(parent.path, name), old == nullptr || fixed ? nullptr : old->if_contains(name)};
}

Findings CheckAdditional(const Schema& schema, const json::object& object, const Spot& spot) {
  Findings out;
  for (const auto& field : object) {
    if (schema.properties.contains(std::string_view(field.key()))) continue;
    if (schema.additional_kind == Additional::kNone) {
      out.Add(InvalidError(spot.path, json::value(field.key()),
                           fmt::format("{}.{} in body is a forbidden property", spot.path,
                                       std::string_view(field.key()))));
    } else if (schema.additional) {
      out.Merge(CheckChanged(*schema.additional, field.value(), ChildSpot(spot, field.key())));
    }
  }
  return out;
}

Findings CheckObject(const Schema& schema, const json::object& object, const Spot& spot) {
  Findings out;
  const ValueChecks& checks = schema.checks;
  if (IsUnder(object.size(), checks.min_properties)) {
    out.Add(TooFew(spot.path, object.size(), *checks.min_properties, "properties"));
  }
  if (IsOver(object.size(), checks.max_properties)) {
    out.Add(TooMany(spot.path, object.size(), *checks.max_properties));
  }
  out.Merge(CheckAdditional(schema, object, spot));
  for (const auto& [name, property] : schema.properties) {
    if (const auto* value = object.if_contains(name)) {
      out.Merge(CheckChanged(*property, *value, ChildSpot(spot, name)));
    }
  }
  for (const auto& name : checks.required) {
    if (!object.contains(name)) out.Add(RequiredError(PathChild(spot.path, name), ""));
  }
  return out;
}

void Count(Findings& out, Findings more) {
  out.Merge(std::move(more));
  ++out.passed;
}

}  // namespace

Findings CheckValue(const Schema& schema, const json::value& value, const Spot& spot) {
  Findings out = CheckType(schema, value, spot.path);
  if (value.is_null()) {
    out.Merge(CheckEnum(schema.checks, value, spot.path));
    return out;
  }
  ++out.passed;
  Count(out, CheckLogic(schema.checks, value, spot.path));
  if (const auto* text = value.if_string()) {
    Count(out, CheckText(schema.checks, *text, spot.path));
    Count(out, CheckFormat(schema, *text, spot.path));
  } else if (value.is_number()) {
    Count(out, CheckNumber(schema, value, spot.path));
  } else if (const auto* list = value.if_array()) {
    Count(out, CheckList(schema, *list, spot));
  }
  Count(out, CheckEnum(schema.checks, value, spot.path));
  if (const auto* object = value.if_object()) Count(out, CheckObject(schema, *object, spot));
  ++out.passed;
  return out;
}

Findings CheckChanged(const Schema& schema, const json::value& value, const Spot& spot) {
  Findings out = CheckValue(schema, value, spot);
  if (!out.ok() && spot.old != nullptr && SameValue(value, *spot.old)) out.errors.clear();
  return out;
}

}  // namespace millwright::kube
