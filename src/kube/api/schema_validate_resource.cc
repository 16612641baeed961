#include "kube/api/schema_validate_resource.h"

#include <algorithm>
#include <string_view>

#include <re2/re2.h>
#include <boost/json.hpp>

#include "kube/api/schema_object_meta.h"
#include "kube/api/schema_validate_walk.h"

namespace millwright::kube {

namespace json = boost::json;

namespace {

constexpr std::string_view kKindRule =
    "may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case "
    "alphanumeric characters or '-', start with an alphabetic character, and end with an "
    "alphanumeric "
    "character (e.g. 'my-name',  or 'abc-123', regex used for validation is "
    "'[a-z]([-a-z0-9]*[a-z0-9])?')";

bool IsKind(std::string_view text) {
  static const RE2 kLabel("(?i)[a-z](?:[-a-z0-9]*[a-z0-9])?");
  constexpr std::size_t kMaxLabel = 63;
  return text.size() <= kMaxLabel &&
         RE2::FullMatch(re2::StringPiece(text.data(), text.size()), kLabel);
}

std::string ApiVersionFault(std::string_view text) {
  if (text.empty()) return "must not be empty";
  if (std::ranges::count(text, '/') <= 1) return "";
  return "unexpected GroupVersion string: " + std::string(text);
}

std::string KindFault(std::string_view text) {
  if (text.empty()) return "must not be empty";
  return IsKind(text) ? "" : std::string(kKindRule);
}

void CheckTypeField(const json::object& object, std::string_view name, const std::string& path,
                    Findings& out) {
  const std::string at = PathChild(path, name);
  const json::value* value = object.if_contains(name);
  if (value == nullptr) {
    out.Add(RequiredError(at, ""));
    return;
  }
  const auto* text = value->if_string();
  std::string fault = "must be a string";
  if (text != nullptr) fault = name == "kind" ? KindFault(*text) : ApiVersionFault(*text);
  if (!fault.empty()) out.Add(InvalidError(at, *value, std::move(fault)));
}

void CheckAny(const Schema& schema, const json::value& value, const std::string& path,
              Findings& out) {
  if (const auto* object = value.if_object()) {
    if (schema.embedded_resource) {
      CheckTypeField(*object, "apiVersion", path, out);
      CheckTypeField(*object, "kind", path, out);
      const json::value* metadata = object->if_contains("metadata");
      if (metadata != nullptr) out.Merge(CheckObjectMeta(*metadata, PathChild(path, "metadata")));
    }
    CheckEmbedded(schema, *object, path, out);
  } else if (const auto* list = value.if_array(); list != nullptr && schema.items) {
    for (std::size_t i = 0; i < list->size(); ++i) {
      CheckAny(*schema.items, (*list)[i], PathIndex(path, i), out);
    }
  }
}

}  // namespace

void CheckEmbedded(const Schema& schema, const json::object& object, const std::string& path,
                   Findings& out) {
  for (const auto& field : object) {
    const std::string_view name = field.key();
    const auto property = schema.properties.find(name);
    if (property != schema.properties.end()) {
      CheckAny(*property->second, field.value(), PathChild(path, name), out);
    } else if (schema.additional) {
      CheckAny(*schema.additional, field.value(), PathKey(path, name), out);
    }
  }
}

Findings CheckObjectMeta(const json::value& metadata, const std::string& path) {
  return CheckValue(ObjectMetaSchema(), metadata, {path});
}

}  // namespace millwright::kube
