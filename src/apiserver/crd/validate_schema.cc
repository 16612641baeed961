#include "apiserver/crd/validate_schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include <boost/json.hpp>

#include "kube/api/schema_parse.h"
#include "kube/api/schema_structural.h"
#include "kube/api/typed_text.h"
#include "kube/cel/rule_check.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

// What may stand at the root when the status is checked apart from the rest, with the names of Go.
constexpr std::array<std::pair<std::string_view, std::string_view>, 22> kRootKeywords = {
    {{"description", "Description"},
     {"type", "Type"},
     {"format", "Format"},
     {"title", "Title"},
     {"maximum", "Maximum"},
     {"exclusiveMaximum", "ExclusiveMaximum"},
     {"minimum", "Minimum"},
     {"exclusiveMinimum", "ExclusiveMinimum"},
     {"maxLength", "MaxLength"},
     {"minLength", "MinLength"},
     {"pattern", "Pattern"},
     {"maxItems", "MaxItems"},
     {"minItems", "MinItems"},
     {"uniqueItems", "UniqueItems"},
     {"multipleOf", "MultipleOf"},
     {"required", "Required"},
     {"items", "Items"},
     {"properties", "Properties"},
     {"externalDocs", "ExternalDocs"},
     {"example", "Example"},
     {"x-kubernetes-preserve-unknown-fields", "XPreserveUnknownFields"},
     {"x-kubernetes-validations", "XValidations"}}};

void CheckRoot(const json::object& document, const std::string& path, FieldErrors& errors) {
  const json::value* type = document.if_contains("type");
  if (type != nullptr && type->is_string() && type->get_string() != "object" &&
      !type->get_string().empty()) {
    errors.push_back(kube::InvalidError(path + ".type", *type,
                                        "only \"object\" is allowed as the type at the root of the "
                                        "schema if the status subresource is enabled"));
  }
  const bool fits = std::ranges::all_of(document, [](const json::key_value_pair& member) {
    return std::ranges::any_of(kRootKeywords,
                               [&](const auto& word) { return word.first == member.key(); });
  });
  if (fits) return;
  std::string words;
  for (const auto& [name, shown] : kRootKeywords) {
    words += fmt::format("{}{}", words.empty() ? "" : " ", shown);
  }
  errors.push_back(kube::InvalidError(
      path, document,
      fmt::format("only [{}] fields are allowed at the root of the schema if the status "
                  "subresource is enabled",
                  words)));
}

void Append(FieldErrors& errors, const FieldErrors& more) {
  std::ranges::copy(more, std::back_inserter(errors));
}

FieldErrors ErrorsOf(const Error& error, const std::string& path) {
  if (const auto* detail = error.detail<kube::FieldErrors>()) return detail->errors();
  return {kube::InvalidError(path, json::value(""), error.message())};
}

const kube::Schema* SchemaAt(const kube::Schema& root, std::string_view path) {
  const kube::Schema* at = &root;
  while (at != nullptr && !path.empty()) {
    const auto dot = path.find('.');
    const auto found = at->properties.find(path.substr(0, dot));
    at = found == at->properties.end() ? nullptr : found->second.get();
    path = dot == std::string_view::npos ? "" : path.substr(dot + 1);
  }
  return at;
}

}  // namespace

void CheckSchema(const json::value& document, bool has_status, const std::string& path,
                 FieldErrors& errors) {
  if (!document.is_object()) return;
  const std::string at = kube::PathChild(path, "openAPIV3Schema");
  if (has_status) CheckRoot(document.get_object(), at, errors);
  const auto schema = kube::ParseSchema(document, at);
  if (!schema) {
    Append(errors, ErrorsOf(schema.error(), at));
    return;
  }
  const FieldErrors structural = kube::CheckStructural(*schema, at);
  Append(errors, structural);
  // What is said about rules means little while the schema around them is wrong.
  if (structural.empty()) Append(errors, kube::cel::CheckRules(*schema, at));
}

void CheckSelectableField(const json::value& document, std::string_view text,
                          const std::string& path, FieldErrors& errors) {
  const auto invalid = [&](std::string detail) {
    errors.push_back(kube::InvalidError(path, json::value(text), std::move(detail)));
  };
  const auto schema =
      document.is_object() ? kube::ParseSchema(document) : Result<kube::Schema>(kube::Schema());
  if (!schema) return;  // said elsewhere
  const kube::Schema* field = text.starts_with('.') ? SchemaAt(*schema, text.substr(1)) : nullptr;
  if (text.starts_with(".metadata.")) {
    invalid("must not point to fields in metadata");
    return;
  }
  if (field == nullptr) {
    invalid(fmt::format("is an invalid path: does not refer to a valid field"));
    return;
  }
  using enum kube::ValueType;
  if (field->type != kString && field->type != kBoolean && field->type != kInteger) {
    invalid(
        "must point to a field of type string, boolean or integer. Enum string fields and strings "
        "with formats are allowed.");
  }
}

}  // namespace millwright::apiserver
