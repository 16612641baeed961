#include "dialects/capi/owned_fields.h"

#include <algorithm>
#include <array>
#include <span>

#include "kube/api/json_text.h"

namespace millwright::dialects::capi {

namespace json = boost::json;
using kube::FieldPath;
using kube::FieldSet;
using kube::PathElement;

namespace {

// Lists that are merged item by item, by these fields of an item.
struct MergedList {
  std::string_view name;
  std::array<std::string_view, 2> keys;
  bool whole_items = false;  // an item has one owner
};

constexpr MergedList kMergedLists[] = {
    {"ownerReferences", {"uid", ""}, true},
    {"readinessGates", {"conditionType", ""}},
    {"taints", {"key", "effect"}},
};

constexpr std::string_view kSetOfTexts = "finalizers";
constexpr std::string_view kWholeObject = "selector";

bool IsIdentity(std::string_view name) {
  constexpr std::string_view kNames[] = {"name", "namespace", "uid"};
  return std::ranges::find(kNames, name) != std::end(kNames);
}

class Collector {
 public:
  FieldSet Collect(const json::object& body) {
    for (const auto& [name, value] : body) {
      if (name == "metadata" && value.is_object()) {
        Metadata(value.get_object());
      } else if (name != "apiVersion" && name != "kind") {
        Field(name, value);
      }
    }
    return std::move(fields_);
  }

 private:
  // Which object it is belongs to nobody.
  void Metadata(const json::object& metadata) {
    path_.push_back(PathElement::Field("metadata"));
    for (const auto& [name, value] : metadata) {
      if (!IsIdentity(name)) Field(name, value);
    }
    path_.pop_back();
  }

  void Field(std::string_view name, const json::value& value) {
    path_.push_back(PathElement::Field(name));
    Value(name, value);
    path_.pop_back();
  }

  void Value(std::string_view name, const json::value& value) {
    const json::object* object = value.if_object();
    if (object != nullptr && !object->empty() && name != kWholeObject) {
      for (const auto& [key, member] : *object) Field(key, member);
      return;
    }
    const json::array* items = value.if_array();
    if (items != nullptr && !items->empty() && Items(name, *items)) return;
    fields_.Insert(path_);
  }

  // False: the list is one thing.
  bool Items(std::string_view name, const json::array& items) {
    if (name == kSetOfTexts) {
      for (const json::value& item : items) Item(PathElement::Value(item), nullptr);
      return true;
    }
    const auto* list = std::ranges::find(kMergedLists, name, &MergedList::name);
    if (list == std::end(kMergedLists)) return false;
    for (const json::value& item : items) {
      if (!item.is_object()) continue;
      Item(KeyOf(*list, item.get_object()), list->whole_items ? nullptr : item.if_object());
    }
    return true;
  }

  void Item(PathElement element, const json::object* parts) {
    path_.push_back(std::move(element));
    fields_.Insert(path_);
    if (parts != nullptr) {
      for (const auto& [key, member] : *parts) Field(key, member);
    }
    path_.pop_back();
  }

  static PathElement KeyOf(const MergedList& list, const json::object& item) {
    PathElement::Key key;
    for (const std::string_view name : list.keys) {
      const json::value* value = name.empty() ? nullptr : item.if_contains(name);
      if (value != nullptr) key.emplace_back(name, *value);
    }
    return PathElement::Keyed(std::move(key));
  }

  FieldPath path_;
  FieldSet fields_;
};

bool Has(const json::value& there, const json::value& wanted) {
  if (there.is_object() && wanted.is_object()) {
    return HasAll(there.get_object(), wanted.get_object());
  }
  if (!there.is_array() || !wanted.is_array()) return there == wanted;
  return std::ranges::all_of(wanted.get_array(), [&](const json::value& item) {
    return std::ranges::any_of(there.get_array(),
                               [&](const json::value& other) { return Has(other, item); });
  });
}

}  // namespace

FieldSet FieldsOfBody(const json::object& body) { return Collector().Collect(body); }

bool HasAll(const json::object& there, const json::object& wanted) {
  return std::ranges::all_of(wanted, [&](const auto& member) {
    const json::value* value = there.if_contains(member.key());
    if (value == nullptr) return false;
    return member.key() == kWholeObject ? *value == member.value() : Has(*value, member.value());
  });
}

bool NeedsApply(const json::object& body, const json::object& there, std::string_view applied) {
  if (applied.empty() || !HasAll(there, body)) return true;
  const auto parsed = kube::ParseJson(applied);
  if (!parsed) return true;
  const auto owned = FieldSet::FromJson(*parsed);
  return !owned || owned->Leaves() != FieldsOfBody(body).Leaves();
}

}  // namespace millwright::dialects::capi
