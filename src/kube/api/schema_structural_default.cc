// Whether the defaults of a schema are values that it would accept.
#include <boost/json.hpp>

#include "kube/api/schema_prune.h"
#include "kube/api/schema_structural_parts.h"
#include "kube/api/schema_validate_resource.h"
#include "kube/api/schema_validate_walk.h"

namespace millwright::kube {

namespace json = boost::json;

namespace {

void CheckDefault(const Schema& schema, const std::string& path, Findings& out) {
  const json::value& value = *schema.default_value;
  json::value pruned = value;
  if (!PruneValue(schema, pruned, path).empty()) {
    out.Add(InvalidError(path, value, "must not have unknown fields"));
  }
  // Inside of the value paths begin anew, in the texts too.
  for (FieldError& error : CheckValue(schema, value, {}).errors) {
    error.field = error.field.empty() ? path : PathChild(path, error.field);
    out.Add(std::move(error));
  }
}

void Walk(const Schema& schema, bool is_root, const std::string& path, Findings& out) {
  for (const auto& [name, property] : schema.properties) {
    const std::string at = PathKey(PathChild(path, "properties"), name);
    const bool of_resource = is_root && IsResourceField(name);
    if (of_resource && property->default_value) {
      out.Add(ForbiddenError(PathChild(at, "default"), "must not be set in top-level " + name));
    } else if (!of_resource) {
      Walk(*property, false, at, out);
    }
  }
  if (schema.items) Walk(*schema.items, false, PathChild(path, "items"), out);
  if (schema.default_value) CheckDefault(schema, PathChild(path, "default"), out);
}

}  // namespace

void CheckDefaults(const Schema& root, const std::string& path, Findings& out) {
  Walk(root, true, path, out);
}

}  // namespace millwright::kube
