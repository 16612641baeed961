// A kind's fields as a table: the one place where they are stated. CRDs are generated from it.
#pragma once

#include <boost/json/object.hpp>

#include <optional>
#include <span>
#include <string_view>

namespace millwright::dialects {

enum class FieldType {
  kObject,
  kAtomicObject,  // replaced whole
  kOpenObject,    // with any fields besides those that are named
  kText,
  kTime,
  kBool,
  kInt32,
  kInt64,
  kAmount,       // a number, or text like "25%"
  kTextMap,      // names to texts
  kQuantityMap,  // resources to amounts
  kList,         // of objects, whose fields follow as "list[].field"
  kAtomicList,   // likewise, replaced whole
  kMapList,      // likewise, merged by the keys that its limits name
  kObjectMap,    // names to objects, whose fields follow as "map{}.field"
  kTextSet,
  kAtomicTextList,
};

// What a value must be like, beyond its type.
struct Limits {
  std::optional<int> least;  // of a number, of characters, of items, of fields
  std::optional<int> most;
  std::string_view pattern;
  std::string_view one_of;  // "A|B|C"
  std::string_view keys;    // of a kMapList: "key,effect"
  std::string_view rule;    // in CEL, with what to say where it does not hold
  std::string_view rule_message;
};

struct Field {
  std::string_view path;  // "spec.class.name", "status.conditions[].type"
  FieldType type = FieldType::kText;
  std::string_view description;
  bool required = false;  // if what it stands in is there
  Limits limits = {};
};

// Fields that stand at a place of their kind; several kinds may have the same at several places.
struct FieldGroup {
  std::string_view at;  // empty: the root
  std::span<const Field> fields;
};

struct Column {
  std::string_view name;
  std::string_view type;
  std::string_view path;
  std::string_view description;
  int priority = 0;  // above 0: only in wide output
};

struct KindTable {
  std::string_view group;
  std::string_view version;
  std::string_view kind;
  std::string_view plural;
  std::string_view singular;
  std::string_view short_name;  // or several: "mhc,mhcs"
  std::string_view description;
  std::span<const FieldGroup> fields;
  std::span<const Column> columns;
  bool has_status = false;
  bool has_scale = false;               // of spec.replicas and status.replicas
  std::string_view selector_path = {};  // of scale; empty: it has none
  std::string_view category = {};
  bool deprecated = false;
};

// The CustomResourceDefinition, namespaced and with one version.
boost::json::object CrdOf(const KindTable& kind);

// With several versions, of which the last is stored.
boost::json::object CrdOf(std::span<const KindTable> versions);

}  // namespace millwright::dialects
