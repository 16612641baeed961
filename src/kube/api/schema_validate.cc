#include "kube/api/schema_validate.h"

#include <algorithm>
#include <utility>

#include <boost/json.hpp>

#include "kube/api/schema_findings.h"
#include "kube/api/schema_validate_lists.h"
#include "kube/api/schema_validate_resource.h"
#include "kube/api/schema_validate_scalar.h"
#include "kube/api/schema_validate_walk.h"
#include "kube/api/typed_value.h"

namespace millwright::kube {

namespace json = boost::json;

namespace {

const json::object& ObjectOf(const json::value& resource) {
  static const json::object kNone;
  const auto* object = resource.if_object();
  return object == nullptr ? kNone : *object;
}

Findings CheckFields(const Schema& schema, const json::value& resource, const json::value* old) {
  Findings out = CheckChanged(schema, resource, {"", old});
  const json::object& object = ObjectOf(resource);
  if (const auto* metadata = object.if_contains("metadata")) {
    out.Merge(CheckObjectMeta(*metadata, "metadata"));
  }
  CheckEmbedded(schema, object, "", out);
  return out;
}

Findings FoundInLists(const Schema& schema, const json::value& resource) {
  Findings out;
  CheckListTypes(schema, ObjectOf(resource), "", out);
  return out;
}

std::vector<FieldError> TooDeep() { return {GeneralError("the object is nested too deep")}; }

}  // namespace

std::vector<FieldError> Validate(const Schema& schema, const json::value& resource) {
  if (IsNestedTooDeep(resource)) return TooDeep();
  Findings out = CheckFields(schema, resource, nullptr);
  out.Merge(FoundInLists(schema, resource));
  return std::move(out.errors);
}

std::vector<FieldError> ValidateUpdate(const Schema& schema, const json::value& resource,
                                       const json::value& old) {
  if (IsNestedTooDeep(resource) || IsNestedTooDeep(old)) return TooDeep();
  Findings out = CheckFields(schema, resource, &old);
  // Lists have no fine-grained past: if any was wrong before, none is looked at now.
  if (FoundInLists(schema, old).ok()) out.Merge(FoundInLists(schema, resource));
  return std::move(out.errors);
}

std::vector<FieldError> ValidateValue(const Schema& schema, const json::value& value,
                                      const std::string& path) {
  if (IsNestedTooDeep(value)) return TooDeep();
  return CheckValue(schema, value, {path}).errors;
}

bool BlocksRules(const std::vector<FieldError>& errors) {
  return std::ranges::any_of(errors, [](const FieldError& error) {
    return error.type == FieldErrorType::kNotSupported || error.type == FieldErrorType::kRequired ||
           error.type == FieldErrorType::kTooLong || error.type == FieldErrorType::kTooMany ||
           error.type == FieldErrorType::kTypeInvalid;
  });
}

}  // namespace millwright::kube
