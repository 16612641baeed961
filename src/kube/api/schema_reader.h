// The keywords of one schema document, read with their types checked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "kube/api/schema.h"
#include "kube/api/schema_error.h"

namespace millwright::kube {

// Absent and null mean the same: not said. A value of the wrong type is reported and read as not
// said.
class SchemaReader {
 public:
  // Refers to all three for as long as it lives.
  SchemaReader(const boost::json::object& document, const std::string& path,
               std::vector<FieldError>& errors)
      : document_(document), path_(path), errors_(errors) {}

  bool Has(std::string_view name) const { return Find(name) != nullptr; }
  const boost::json::value* Find(std::string_view name) const;
  const boost::json::object* Object(std::string_view name) const;
  const boost::json::array* Array(std::string_view name) const;

  std::string Text(std::string_view name) const;
  bool Flag(std::string_view name) const;
  std::optional<double> Number(std::string_view name) const;
  std::optional<std::int64_t> Count(std::string_view name) const;
  std::vector<std::string> Texts(std::string_view name) const;
  std::vector<boost::json::value> Values(std::string_view name) const;

  ValueType Type() const;
  std::optional<ListType> List() const;
  std::optional<MapType> Map() const;
  std::vector<ValidationRule> Rules() const;

  std::string At(std::string_view name) const { return PathChild(path_, name); }
  void Report(FieldError error) const;

 private:
  void ReportType(std::string_view name, const boost::json::value& value,
                  std::string_view type) const;

  const boost::json::object& document_;
  const std::string& path_;
  std::vector<FieldError>& errors_;
};

}  // namespace millwright::kube
