#include "apiserver/rest/fit.h"

#include <iterator>

#include <boost/json.hpp>

#include "apiserver/rest/failures.h"
#include "apiserver/rest/meta_rules.h"
#include "kube/api/schema_default.h"
#include "kube/api/schema_prune.h"
#include "kube/api/schema_validate.h"

namespace millwright::apiserver {

namespace {

void Append(std::vector<kube::FieldError>& errors, std::vector<kube::FieldError> more) {
  errors.insert(errors.end(), std::make_move_iterator(more.begin()),
                std::make_move_iterator(more.end()));
}

}  // namespace

Result<void> PruneAndDefault(const Resource& resource, boost::json::value& object,
                             StrictFindings& findings) {
  if (const kube::SchemaPtr schema = resource.schema()) {
    TRY(const auto unknown, kube::Prune(*schema, object));
    for (const std::string& path : unknown) findings.push_back("unknown field \"" + path + "\"");
    if (resource.custom) CHECK_OK(kube::ApplyDefaults(*schema, object));
  }
  if (resource.rules.normalize) {
    const auto normal = resource.rules.normalize(object);
    if (!normal) return BadRequest(normal.error().message());
  }
  if (resource.rules.set_defaults) resource.rules.set_defaults(object);
  return Ok();
}

std::vector<kube::FieldError> CheckObject(const Resource& resource,
                                          const boost::json::value& object,
                                          const boost::json::value* old,
                                          std::vector<std::string>& warnings) {
  std::vector<kube::FieldError> errors =
      old == nullptr ? CheckMeta(resource, object) : CheckMetaUpdate(resource, object, *old);
  // Built-in kinds are checked by rules of their own, which say more than a schema can.
  const kube::SchemaPtr schema = resource.custom ? resource.schema() : nullptr;
  if (schema) {
    Append(errors, old == nullptr ? kube::Validate(*schema, object)
                                  : kube::ValidateUpdate(*schema, object, *old));
  }
  if (resource.rules.judge && kube::BlocksRules(errors)) {
    errors.push_back(
        kube::InvalidError("", nullptr,
                           "some validation rules were not checked because the object was invalid; "
                           "correct the existing errors to complete validation"));
  } else if (resource.rules.judge) {
    Append(errors, resource.rules.judge(object, old, warnings));
  }
  if (resource.rules.validate) Append(errors, resource.rules.validate(object, old));
  return errors;
}

}  // namespace millwright::apiserver
