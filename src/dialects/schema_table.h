// A kind's fields as a table: the one place where they are stated. CRDs are generated from it.
#pragma once

#include <boost/json/object.hpp>

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
  kTextSet,
  kAtomicTextList,
};

struct Field {
  std::string_view path;  // "spec.class.name", "status.conditions[].type"
  FieldType type = FieldType::kText;
  std::string_view description;
  bool required = false;  // if what it stands in is there
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
  std::string_view short_name;
  std::string_view description;
  std::span<const FieldGroup> fields;
  std::span<const Column> columns;
  bool has_status = false;
  bool has_scale = false;  // of spec.replicas and status.replicas
};

// The CustomResourceDefinition, namespaced and with one version.
boost::json::object CrdOf(const KindTable& kind);

}  // namespace millwright::dialects
