// What may be said inside of allOf, anyOf, oneOf and not.
#include <boost/json.hpp>

#include "kube/api/schema_parse.h"
#include "kube/api/schema_structural_parts.h"

namespace millwright::kube {

namespace json = boost::json;

namespace {

bool SaysOnlyType(const Schema& schema, ValueType type) {
  return ToJson(schema) == json::object({{"type", ToString(type)}});
}

// The one place where a type may be said inside: the two alternatives of an int-or-string.
bool IsIntOrString(const std::vector<SchemaPtr>& any_of) {
  return any_of.size() == 2 && SaysOnlyType(*any_of[0], ValueType::kInteger) &&
         SaysOnlyType(*any_of[1], ValueType::kString);
}

class NestedCheck {
 public:
  explicit NestedCheck(Findings& out) : out_(out) {}

  void Logic(const ValueChecks& checks, const std::string& path, bool skip_any_of, bool skip_first);

 private:
  void Restriction(const Schema& schema, const std::string& path, bool skip_any_of);
  void General(const Schema& schema, const std::string& path);
  void Extensions(const Schema& schema, const std::string& path);
  void Forbid(bool said, const std::string& path, std::string_view name, std::string_view text) {
    if (said) out_.Add(ForbiddenError(PathChild(path, name), std::string(text)));
  }

  Findings& out_;
};

void NestedCheck::Logic(const ValueChecks& checks, const std::string& path, bool skip_any_of,
                        bool skip_first) {
  for (std::size_t i = 0; i < checks.any_of.size() && !skip_any_of; ++i) {
    Restriction(*checks.any_of[i], PathIndex(PathChild(path, "anyOf"), i), false);
  }
  for (std::size_t i = 0; i < checks.all_of.size(); ++i) {
    Restriction(*checks.all_of[i], PathIndex(PathChild(path, "allOf"), i), skip_first && i == 0);
  }
  for (std::size_t i = 0; i < checks.one_of.size(); ++i) {
    Restriction(*checks.one_of[i], PathIndex(PathChild(path, "oneOf"), i), false);
  }
  if (checks.negated) Restriction(*checks.negated, PathChild(path, "not"), false);
}

void NestedCheck::General(const Schema& schema, const std::string& path) {
  Forbid(schema.type != ValueType::kAny, path, "type", "must be empty to be structural");
  Forbid(schema.additional_kind != Additional::kUnsaid, path, "additionalProperties",
         "must be undefined to be structural");
  Forbid(schema.default_value.has_value(), path, "default", "must be undefined to be structural");
  Forbid(!schema.title.empty(), path, "title", "must be empty to be structural");
  Forbid(!schema.description.empty(), path, "description", "must be empty to be structural");
  Forbid(schema.nullable, path, "nullable", "must be false to be structural");
}

void NestedCheck::Extensions(const Schema& schema, const std::string& path) {
  constexpr std::string_view kFalse = "must be false to be structural";
  Forbid(schema.preserve_unknown_fields, path, "x-kubernetes-preserve-unknown-fields", kFalse);
  Forbid(schema.embedded_resource, path, "x-kubernetes-embedded-resource", kFalse);
  Forbid(schema.int_or_string, path, "x-kubernetes-int-or-string", kFalse);
  Forbid(!schema.list_map_keys.empty(), path, "x-kubernetes-list-map-keys",
         "must be empty to be structural");
  Forbid(schema.list_type.has_value(), path, "x-kubernetes-list-type",
         "must be undefined to be structural");
  Forbid(schema.map_type.has_value(), path, "x-kubernetes-map-type",
         "must be undefined to be structural");
  Forbid(!schema.rules.empty(), path, "x-kubernetes-validations", "must be empty to be structural");
}

void NestedCheck::Restriction(const Schema& schema, const std::string& path, bool skip_any_of) {
  General(schema, path);
  Extensions(schema, path);
  Logic(schema.checks, path, skip_any_of, false);
  if (schema.items) Restriction(*schema.items, PathChild(path, "items"), false);
  for (const auto& [name, property] : schema.properties) {
    const std::string at = PathKey(PathChild(path, "properties"), name);
    Restriction(*property, at, false);
    if (name == "metadata") {
      out_.Add(ForbiddenError(at, "must not be specified in a nested context"));
    }
  }
}

// Every field and every list that is restricted inside has to be specified outside.
class CompletenessCheck {
 public:
  explicit CompletenessCheck(Findings& out) : out_(out) {}

  struct Pair {
    const Schema* outside;
    std::string outside_path;
    std::string inside_path;
  };

  void Logic(const ValueChecks& checks, const Pair& place);

 private:
  void Inside(const Schema& schema, const Pair& place);

  Findings& out_;
};

void CompletenessCheck::Logic(const ValueChecks& checks, const Pair& place) {
  const auto each = [&](const std::vector<SchemaPtr>& schemas, std::string_view name) {
    for (std::size_t i = 0; i < schemas.size(); ++i) {
      const std::string path = PathIndex(PathChild(place.inside_path, name), i);
      Inside(*schemas[i], {place.outside, place.outside_path, path});
    }
  };
  each(checks.all_of, "allOf");
  each(checks.any_of, "anyOf");
  each(checks.one_of, "oneOf");
  if (checks.negated) {
    const std::string path = PathChild(place.inside_path, "not");
    Inside(*checks.negated, {place.outside, place.outside_path, path});
  }
}

void CompletenessCheck::Inside(const Schema& schema, const Pair& place) {
  if (place.outside == nullptr) {
    out_.Add(RequiredError(place.outside_path, "because it is defined in " + place.inside_path));
    return;
  }
  Logic(schema.checks, place);
  if (schema.items) {
    Inside(*schema.items, {place.outside->items.get(), PathChild(place.outside_path, "items"),
                           PathChild(place.inside_path, "items")});
  }
  for (const auto& [name, property] : schema.properties) {
    const auto found = place.outside->properties.find(name);
    Inside(*property, {found == place.outside->properties.end() ? nullptr : found->second.get(),
                       PathKey(PathChild(place.outside_path, "properties"), name),
                       PathKey(PathChild(place.inside_path, "properties"), name)});
  }
}

}  // namespace

void CheckNestedSchemas(const Schema& schema, const std::string& path, Findings& out) {
  const ValueChecks& checks = schema.checks;
  const bool first_is_int_or_string =
      !checks.all_of.empty() && IsIntOrString(checks.all_of[0]->checks.any_of);
  NestedCheck(out).Logic(checks, path, IsIntOrString(checks.any_of), first_is_int_or_string);
}

void CheckCompleteness(const Schema& root, const std::string& path, Findings& out) {
  CompletenessCheck(out).Logic(root.checks, {&root, path, path});
}

}  // namespace millwright::kube
