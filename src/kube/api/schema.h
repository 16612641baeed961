// The schema of a kind: what an openAPIV3Schema says, as a tree of values.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <boost/json/value.hpp>

#include "kube/api/schema_pattern.h"

namespace millwright::kube {

struct Schema;

// Schemas never change once built, so that copies and threads may share the parts.
using SchemaPtr = std::shared_ptr<const Schema>;

enum class ValueType { kAny, kObject, kArray, kString, kInteger, kNumber, kBoolean };
enum class ListType { kAtomic, kSet, kMap };
enum class MapType { kGranular, kAtomic };

// What is said about the fields of an object that are not among its properties.
enum class Additional {
  kUnsaid,  // unknown fields are pruned
  kNone,    // additionalProperties: false
  kAny,     // additionalProperties: true
  kTyped,   // each has the schema `additional`
};

// One entry of x-kubernetes-validations, kept as written: evaluating CEL is somebody else's work.
struct ValidationRule {
  std::string rule;
  std::string message;
  std::string message_expression;
  std::string reason;
  std::string field_path;
  std::optional<bool> optional_old_self;

  friend bool operator==(const ValidationRule&, const ValidationRule&) = default;
};

// What a value has to fulfil beyond its type.
struct ValueChecks {
  std::vector<std::string> required;
  std::vector<boost::json::value> enum_values;

  std::optional<double> minimum;
  std::optional<double> maximum;
  bool exclusive_minimum = false;
  bool exclusive_maximum = false;
  std::optional<double> multiple_of;

  std::optional<std::int64_t> min_length;  // in characters, not bytes
  std::optional<std::int64_t> max_length;
  std::optional<Pattern> pattern;
  std::string format;

  std::optional<std::int64_t> min_items;
  std::optional<std::int64_t> max_items;
  bool unique_items = false;
  std::optional<std::int64_t> min_properties;
  std::optional<std::int64_t> max_properties;

  std::vector<SchemaPtr> all_of;
  std::vector<SchemaPtr> any_of;
  std::vector<SchemaPtr> one_of;
  SchemaPtr negated;  // "not"
};

struct Schema {
  ValueType type = ValueType::kAny;
  bool nullable = false;
  std::string title;
  std::string description;
  std::optional<boost::json::value> default_value;  // never null: a null default is none

  std::map<std::string, SchemaPtr, std::less<>> properties;
  Additional additional_kind = Additional::kUnsaid;
  SchemaPtr additional;  // set exactly when additional_kind is kTyped
  SchemaPtr items;

  bool preserve_unknown_fields = false;
  bool int_or_string = false;
  bool embedded_resource = false;
  std::optional<ListType> list_type;
  std::vector<std::string> list_map_keys;
  std::optional<MapType> map_type;

  ValueChecks checks;
  std::vector<ValidationRule> rules;

  // The schema of a field, from the properties or from what is said about the others; null if none.
  const Schema* Field(std::string_view name) const;
};

// The word in a document: "object", or "" for kAny.
std::string_view ToString(ValueType type);
std::string_view ToString(ListType type);
std::string_view ToString(MapType type);

// apiVersion, kind and metadata: known in every resource, whether a schema mentions them or not.
bool IsResourceField(std::string_view name);

}  // namespace millwright::kube
