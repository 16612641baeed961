#include "kube/api/schema_reader.h"

#include <utility>

#include <boost/json.hpp>

namespace millwright::kube {

namespace json = boost::json;

namespace {

// A hostile document could have an error in every byte; nobody reads the thousandth.
constexpr std::size_t kMaxErrors = 1'000;

ValidationRule ReadRule(const SchemaReader& in) {
  ValidationRule rule;
  rule.rule = in.Text("rule");
  rule.message = in.Text("message");
  rule.message_expression = in.Text("messageExpression");
  rule.reason = in.Text("reason");
  rule.field_path = in.Text("fieldPath");
  if (in.Has("optionalOldSelf")) rule.optional_old_self = in.Flag("optionalOldSelf");
  return rule;
}

}  // namespace

void SchemaReader::Report(FieldError error) const {
  if (errors_.size() < kMaxErrors) errors_.push_back(std::move(error));
}

void SchemaReader::ReportType(std::string_view name, const json::value& value,
                              std::string_view type) const {
  FieldError error = InvalidError(At(name), value, "must be of type " + std::string(type));
  error.type = FieldErrorType::kTypeInvalid;
  Report(std::move(error));
}

const json::value* SchemaReader::Find(std::string_view name) const {
  const json::value* value = document_.if_contains(name);
  return value == nullptr || value->is_null() ? nullptr : value;
}

const json::object* SchemaReader::Object(std::string_view name) const {
  const json::value* value = Find(name);
  if (value == nullptr || value->is_object())
    return value == nullptr ? nullptr : value->if_object();
  ReportType(name, *value, "object");
  return nullptr;
}

const json::array* SchemaReader::Array(std::string_view name) const {
  const json::value* value = Find(name);
  if (value == nullptr || value->is_array()) return value == nullptr ? nullptr : value->if_array();
  ReportType(name, *value, "array");
  return nullptr;
}

std::string SchemaReader::Text(std::string_view name) const {
  const json::value* value = Find(name);
  if (value == nullptr) return "";
  if (const auto* text = value->if_string()) return std::string(*text);
  ReportType(name, *value, "string");
  return "";
}

bool SchemaReader::Flag(std::string_view name) const {
  const json::value* value = Find(name);
  if (value == nullptr) return false;
  if (const auto* flag = value->if_bool()) return *flag;
  ReportType(name, *value, "boolean");
  return false;
}

std::optional<double> SchemaReader::Number(std::string_view name) const {
  const json::value* value = Find(name);
  if (value == nullptr) return std::nullopt;
  if (value->is_number()) return value->to_number<double>();
  ReportType(name, *value, "number");
  return std::nullopt;
}

std::optional<std::int64_t> SchemaReader::Count(std::string_view name) const {
  const json::value* value = Find(name);
  if (value == nullptr) return std::nullopt;
  if (const auto* count = value->if_int64()) return *count;
  ReportType(name, *value, "integer");
  return std::nullopt;
}

std::vector<std::string> SchemaReader::Texts(std::string_view name) const {
  std::vector<std::string> texts;
  const json::array* list = Array(name);
  if (list == nullptr) return texts;
  for (const auto& item : *list) {
    if (const auto* text = item.if_string()) {
      texts.emplace_back(*text);
    } else {
      ReportType(name, item, "string");
    }
  }
  return texts;
}

std::vector<json::value> SchemaReader::Values(std::string_view name) const {
  const json::array* list = Array(name);
  return list == nullptr ? std::vector<json::value>()
                         : std::vector<json::value>(list->begin(), list->end());
}

ValueType SchemaReader::Type() const {
  const std::string text = Text("type");
  for (const ValueType type :
       {ValueType::kAny, ValueType::kObject, ValueType::kArray, ValueType::kString,
        ValueType::kInteger, ValueType::kNumber, ValueType::kBoolean}) {
    if (text == ToString(type)) return type;
  }
  if (text == "null") {
    Report(
        ForbiddenError(At("type"), "type cannot be set to null, use nullable as an alternative"));
    return ValueType::kAny;
  }
  Report(NotSupportedError(At("type"), json::value(text),
                           {"array", "boolean", "integer", "number", "object", "string"}));
  return ValueType::kAny;
}

std::optional<ListType> SchemaReader::List() const {
  const std::string text = Text("x-kubernetes-list-type");
  if (text.empty()) return std::nullopt;
  for (const ListType type : {ListType::kAtomic, ListType::kSet, ListType::kMap}) {
    if (text == ToString(type)) return type;
  }
  Report(
      NotSupportedError(At("x-kubernetes-list-type"), json::value(text), {"atomic", "set", "map"}));
  return std::nullopt;
}

std::optional<MapType> SchemaReader::Map() const {
  const std::string text = Text("x-kubernetes-map-type");
  if (text.empty()) return std::nullopt;
  for (const MapType type : {MapType::kAtomic, MapType::kGranular}) {
    if (text == ToString(type)) return type;
  }
  Report(NotSupportedError(At("x-kubernetes-map-type"), json::value(text), {"atomic", "granular"}));
  return std::nullopt;
}

std::vector<ValidationRule> SchemaReader::Rules() const {
  std::vector<ValidationRule> rules;
  const json::array* list = Array("x-kubernetes-validations");
  if (list == nullptr) return rules;
  for (const auto& item : *list) {
    const std::string path = PathIndex(At("x-kubernetes-validations"), rules.size());
    if (const auto* object = item.if_object()) {
      rules.push_back(ReadRule(SchemaReader(*object, path, errors_)));
    } else {
      Report(InvalidError(path, item, "must be a rule object"));
      rules.emplace_back();
    }
  }
  return rules;
}

}  // namespace millwright::kube
