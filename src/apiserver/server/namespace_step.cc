#include "apiserver/server/namespace_step.h"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "apiserver/rest/failures.h"
#include "kube/api/json_text.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

bool IsNamespace(const Resource& resource) {
  return resource.kind.group.empty() && resource.kind.kind == "Namespace";
}

// The cluster could not live without them.
bool IsForEver(std::string_view name) {
  return name == "default" || name == "kube-system" || name == "kube-public";
}

Failure IsEnding(const Admittance& about) {
  kube::Status status =
      StatusOf(Forbidden(about.resource, about.name,
                         fmt::format("unable to create new content in namespace {} because it is "
                                     "being terminated",
                                     about.place.namespace_))
                   .error());
  status.details.causes.push_back(
      {.reason = "NamespaceTerminating",
       .message = fmt::format("namespace {} is being terminated", about.place.namespace_),
       .field = "metadata.namespace"});
  return Refuse(std::move(status));
}

Failure IsMissing(std::string_view name) {
  return Refuse({.status = "Failure",
                 .message = fmt::format("namespaces \"{}\" not found", name),
                 .reason = "NotFound",
                 .details = {.name = std::string(name), .group = "", .kind = "namespaces"},
                 .code = 404});
}

}  // namespace

Result<void> NamespaceStep::Check(const Admittance& about) const {
  using Operation = Admittance::Operation;
  if (IsNamespace(about.resource)) {
    if (about.operation == Operation::kDelete && IsForEver(about.name)) {
      return Forbidden(about.resource, about.name, "this namespace may not be deleted");
    }
    return Ok();
  }
  if (!about.resource.namespaced || about.operation != Operation::kCreate) return Ok();
  const RecordPtr record = store_.Get("/core/namespaces/" + about.place.namespace_);
  if (!record) return IsMissing(about.place.namespace_);
  const json::value found = json::parse(record->value);
  const bool ending = !kube::GetString(found, "metadata.deletionTimestamp").empty();
  if (ending) return IsEnding(about);
  return Ok();
}

Task<Result<void>> NamespaceStep::Mutate(const Admittance& about, json::value* /*object*/,
                                         std::vector<std::string>& /*warnings*/) {
  co_return Check(about);
}

Task<Result<void>> NamespaceStep::Validate(const Admittance& about, const json::value* /*object*/,
                                           std::vector<std::string>& /*warnings*/) {
  co_return Check(about);
}

}  // namespace millwright::apiserver
