#include "kube/api/schema_parse.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <boost/json.hpp>

#include "kube/api/schema_error.h"
#include "kube/api/schema_reader.h"
#include "kube/api/typed_value.h"

namespace millwright::kube {

namespace json = boost::json;

namespace {

// The largest schemas in use (whole pod templates, several times over) have some thousand nodes.
constexpr int kMaxNodes = 50'000;

class Parser {
 public:
  explicit Parser(std::vector<FieldError>& errors) : errors_(errors) {}

  Schema Parse(const json::value& document, const std::string& path);
  bool gave_up() const { return nodes_ > kMaxNodes; }

 private:
  SchemaPtr Child(const json::value& document, const std::string& path) {
    return std::make_shared<const Schema>(Parse(document, path));
  }
  std::vector<SchemaPtr> Children(const SchemaReader& in, std::string_view name);
  void ReadStructure(const SchemaReader& in, Schema& schema);
  void ReadAdditional(const SchemaReader& in, Schema& schema);
  void ReadItems(const SchemaReader& in, Schema& schema);
  void ReadLogic(const SchemaReader& in, ValueChecks& checks);

  std::vector<FieldError>& errors_;
  int nodes_ = 0;
};

void RefuseUnsupported(const SchemaReader& in) {
  for (const std::string_view name :
       {"id", "additionalItems", "patternProperties", "definitions", "dependencies", "$ref"}) {
    if (in.Has(name))
      in.Report(ForbiddenError(in.At(name), std::string(name) + " is not supported"));
  }
}

void ReadGeneral(const SchemaReader& in, Schema& schema) {
  schema.type = in.Type();
  schema.nullable = in.Flag("nullable");
  schema.title = in.Text("title");
  schema.description = in.Text("description");
  if (const auto* value = in.Find("default")) schema.default_value = *value;
}

void ReadExtensions(const SchemaReader& in, Schema& schema) {
  if (const auto* preserve = in.Find("x-kubernetes-preserve-unknown-fields")) {
    schema.preserve_unknown_fields = in.Flag("x-kubernetes-preserve-unknown-fields");
    if (preserve->is_bool() && !preserve->get_bool()) {
      in.Report(InvalidError(in.At("x-kubernetes-preserve-unknown-fields"), *preserve,
                             "must be true or undefined"));
    }
  }
  schema.int_or_string = in.Flag("x-kubernetes-int-or-string");
  schema.embedded_resource = in.Flag("x-kubernetes-embedded-resource");
  schema.list_type = in.List();
  schema.list_map_keys = in.Texts("x-kubernetes-list-map-keys");
  schema.map_type = in.Map();
  schema.rules = in.Rules();
}

void ReadPattern(const SchemaReader& in, ValueChecks& checks) {
  const std::string text = in.Text("pattern");
  if (text.empty()) return;
  auto pattern = Pattern::Compile(text);
  if (pattern) {
    checks.pattern = *std::move(pattern);
  } else {
    in.Report(InvalidError(
        in.At("pattern"), json::value(text),
        "must be a valid regular expression, but isn't: " + pattern.error().message()));
  }
}

void ReadChecks(const SchemaReader& in, ValueChecks& checks) {
  checks.required = in.Texts("required");
  checks.enum_values = in.Values("enum");
  checks.minimum = in.Number("minimum");
  checks.maximum = in.Number("maximum");
  checks.exclusive_minimum = in.Flag("exclusiveMinimum");
  checks.exclusive_maximum = in.Flag("exclusiveMaximum");
  checks.multiple_of = in.Number("multipleOf");
  checks.min_length = in.Count("minLength");
  checks.max_length = in.Count("maxLength");
  checks.format = in.Text("format");
  checks.min_items = in.Count("minItems");
  checks.max_items = in.Count("maxItems");
  checks.unique_items = in.Flag("uniqueItems");
  checks.min_properties = in.Count("minProperties");
  checks.max_properties = in.Count("maxProperties");
  ReadPattern(in, checks);
}

Schema Parser::Parse(const json::value& document, const std::string& path) {
  Schema schema;
  if (++nodes_ > kMaxNodes) return schema;
  const auto* object = document.if_object();
  if (object == nullptr) {
    errors_.push_back(InvalidError(path, document, "must be a schema object"));
    return schema;
  }
  const SchemaReader in(*object, path, errors_);
  RefuseUnsupported(in);
  ReadGeneral(in, schema);
  ReadExtensions(in, schema);
  ReadChecks(in, schema.checks);
  ReadStructure(in, schema);
  ReadLogic(in, schema.checks);
  return schema;
}

void Parser::ReadStructure(const SchemaReader& in, Schema& schema) {
  if (const auto* properties = in.Object("properties")) {
    for (const auto& property : *properties) {
      const std::string path = PathKey(in.At("properties"), property.key());
      schema.properties.emplace(property.key(), Child(property.value(), path));
    }
  }
  ReadAdditional(in, schema);
  ReadItems(in, schema);
}

void Parser::ReadAdditional(const SchemaReader& in, Schema& schema) {
  const auto* additional = in.Find("additionalProperties");
  if (additional == nullptr) return;
  if (additional->is_bool()) {
    schema.additional_kind = additional->get_bool() ? Additional::kAny : Additional::kNone;
    return;
  }
  schema.additional_kind = Additional::kTyped;
  schema.additional = Child(*additional, in.At("additionalProperties"));
}

void Parser::ReadItems(const SchemaReader& in, Schema& schema) {
  const auto* items = in.Find("items");
  if (items == nullptr) return;
  if (items->is_array()) {
    in.Report(ForbiddenError(in.At("items"), "items must be a schema object and not an array"));
    return;
  }
  schema.items = Child(*items, in.At("items"));
}

std::vector<SchemaPtr> Parser::Children(const SchemaReader& in, std::string_view name) {
  std::vector<SchemaPtr> children;
  const auto* list = in.Array(name);
  if (list == nullptr) return children;
  for (const auto& document : *list) {
    children.push_back(Child(document, PathIndex(in.At(name), children.size())));
  }
  return children;
}

void Parser::ReadLogic(const SchemaReader& in, ValueChecks& checks) {
  checks.all_of = Children(in, "allOf");
  checks.any_of = Children(in, "anyOf");
  checks.one_of = Children(in, "oneOf");
  if (const auto* negated = in.Find("not")) checks.negated = Child(*negated, in.At("not"));
}

}  // namespace

Result<Schema> ParseSchema(const json::value& document, std::string_view path) {
  std::vector<FieldError> errors;
  if (IsNestedTooDeep(document)) {
    errors.push_back(ForbiddenError(std::string(path), "the schema is nested too deep"));
    return Failure(InvalidFields(std::move(errors)));
  }
  Parser parser(errors);
  Schema schema = parser.Parse(document, std::string(path));
  if (parser.gave_up()) errors = {ForbiddenError(std::string(path), "the schema is too large")};
  if (!errors.empty()) return Failure(InvalidFields(std::move(errors)));
  return schema;
}

}  // namespace millwright::kube
