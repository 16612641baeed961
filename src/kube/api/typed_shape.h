// How applying sees a place in an object: what is one thing, and what consists of parts.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/value.hpp>

#include "kube/api/schema.h"

namespace millwright::kube {

enum class Form {
  kScalar,
  kAtomic,  // a list or map that is owned and replaced as a whole
  kMap,     // merged field by field
  kList,    // merged item by item, by key or by value
};

// A small value that refers to a Schema, which has to outlive it.
class Shape {
 public:
  // Nothing is known: maps merge, lists are replaced as a whole.
  static Shape Untyped() { return Shape(nullptr, false, false); }
  // A whole object of a kind; null is a kind without a schema.
  static Shape OfResource(const Schema* schema);

  // The form of a value at this place. Where the schema does not fix the type, the value does; a
  // null then counts as an empty map.
  Form FormOf(const boost::json::value& value) const;
  // Whether the schema itself says that this is a list or a map replaced as a whole.
  bool IsAtomic() const;

  // The place of a field in an object; none if the schema does not allow the field.
  std::optional<Shape> Field(std::string_view name) const;
  // Whether the schema has the field by name. Keys of maps and kept unknown fields are not
  // declared.
  bool Declares(std::string_view name) const;

  // The place of an item in a list.
  Shape Item() const;
  // The fields that identify an item; empty for a set of scalars.
  const std::vector<std::string>& keys() const;
  // What a missing key field of an item stands for; null if nothing.
  const boost::json::value* KeyDefault(const std::string& key) const;

  // Null when nothing is known.
  const Schema* schema() const { return schema_; }

 private:
  Shape(const Schema* schema, bool is_resource, bool preserve)
      : schema_(schema), is_resource_(is_resource), preserve_(preserve) {}

  Shape Child(const Schema& schema) const;
  Form ListForm() const;
  Form MapForm() const;

  const Schema* schema_;
  bool is_resource_;  // has apiVersion, kind and metadata
  bool preserve_;     // here or further up unknown fields are kept
};

}  // namespace millwright::kube
