// What can be owned through which endpoint.
#include "kube/api/apply.h"

namespace millwright::kube {

namespace {

FieldPath Top(std::string_view name) { return {PathElement::Field(name)}; }

}  // namespace

OwnershipRules MainRules(const Schema* schema, bool has_status_endpoint) {
  OwnershipRules rules{.schema = schema, .reset_fields = {}};
  if (has_status_endpoint) rules.reset_fields = FieldSet::Of({Top("status")});
  return rules;
}

OwnershipRules StatusRules(const Schema* schema) {
  OwnershipRules rules{.schema = schema,
                       .reset_fields = FieldSet::Of({Top("metadata"), Top("spec")})};
  if (schema == nullptr) return rules;
  for (const auto& [name, field] : schema->properties) {
    if (name != "status") rules.reset_fields.Insert(Top(name));
  }
  return rules;
}

}  // namespace millwright::kube
