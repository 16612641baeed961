#include "apiserver/rest/write.h"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "apiserver/rest/body.h"
#include "apiserver/rest/change.h"
#include "apiserver/rest/failures.h"
#include "apiserver/rest/object_text.h"
#include "apiserver/rest/patch.h"
#include "kube/api/apply.h"
#include "kube/api/json_text.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

bool IsThere(const Services& services, const Call& call) {
  const std::string space = call.resource->namespaced ? call.place.namespace_ : std::string();
  return services.store.Get(StorageKey(*call.resource, space, call.place.name)) != nullptr;
}

Result<void> CheckName(const Call& call, const json::value& object) {
  const std::string_view name = kube::GetString(object, "metadata.name");
  if (name.empty()) return BadRequest("the name of the object must be set: name must be provided");
  if (name != call.place.name) {
    return BadRequest(
        fmt::format("the name of the object ({}) does not match the name on the URL ({})", name,
                    call.place.name));
  }
  const std::string_view space = kube::GetString(object, "metadata.namespace");
  if (call.resource->namespaced && !space.empty() && space != call.place.namespace_) {
    return BadRequest(
        fmt::format("the namespace of the object ({}) does not match the namespace on the request "
                    "({})",
                    space, call.place.namespace_));
  }
  return Ok();
}

// A custom object must be replaced knowingly; built-in kinds allow a blind write.
Result<void> CheckVersionGiven(const Call& call, const json::value& object) {
  const bool given = !kube::GetString(object, "metadata.resourceVersion").empty();
  if (given || !call.resource->custom) return Ok();
  return Invalid(call.resource->kind.group, call.resource->plural, call.place.name,
                 {kube::InvalidError("metadata.resourceVersion", json::value(0),
                                     "must be specified for an update")});
}

Failure ApplyFailure(const Error& error) {
  const auto* conflicts = error.detail<kube::ApplyConflicts>();
  // A configuration that the schema does not know is to a real server a failure of its own.
  if (conflicts == nullptr && error.message().starts_with("failed to create typed patch object")) {
    return Refuse({.status = "Failure",
                   .message = error.message(),
                   .reason = "",
                   .details = {},
                   .code = 500});
  }
  if (conflicts == nullptr) return BadRequest(error.message());
  kube::Status status{.status = "Failure",
                      .message = error.message(),
                      .reason = "Conflict",
                      .details = {},
                      .code = 409};
  for (const kube::ApplyConflict& conflict : conflicts->conflicts()) {
    status.details.causes.push_back(
        {.reason = "FieldManagerConflict", .message = conflict.Message(), .field = conflict.field});
  }
  return Refuse(std::move(status));
}

Task<Result<Answer>> ApplyObject(const Services& services, const Call& call, Part part,
                                 const WriteOptions& options) {
  if (options.field_manager.empty()) {
    co_return InvalidOptions("PatchOptions",
                             {kube::RequiredError("fieldManager", "is required for apply patch")});
  }
  StrictFindings findings;
  CO_TRY(json::value wish, DecodeText(call.body, true, findings));
  if (!wish.is_object()) co_return BadRequest("an apply configuration must be an object");
  CO_CHECK(CheckKind(*call.resource, wish));
  const std::string name(kube::GetString(wish, "metadata.name"));
  if (!name.empty()) CO_CHECK(CheckName(call, wish));
  MetadataOf(wish)["name"] = call.place.name;
  if (call.resource->namespaced) MetadataOf(wish)["namespace"] = call.place.namespace_;

  const kube::SchemaPtr schema = call.resource->schema();
  const kube::OwnershipRules rules = part == Part::kStatus
                                         ? kube::StatusRules(schema.get())
                                         : kube::MainRules(schema.get(), call.resource->has_status);
  const kube::FieldWriter writer{.manager = options.field_manager,
                                 .api_version = call.resource->kind.ApiVersion(),
                                 .subresource = part == Part::kStatus ? "status" : "",
                                 .time = services.clock.Now()};
  const auto force = options.force ? kube::Force::kYes : kube::Force::kNo;
  if (!IsThere(services, call)) {
    if (part == Part::kStatus) co_return NotFound(*call.resource, call.place.name);
    auto made = kube::Apply(rules, nullptr, wish, writer, force);
    if (!made) co_return ApplyFailure(made.error());
    co_return co_await StoreNewObject(services, call, options, *std::move(made), true, findings);
  }
  const bool conditional = !kube::GetString(wish, "metadata.resourceVersion").empty();
  co_return co_await ChangeObject(
      services, call, part, options,
      [&, wish = std::move(wish)](const json::value& old, StrictFindings&) -> Result<NewState> {
        const std::string_view version = kube::GetString(wish, "metadata.resourceVersion");
        if (!version.empty() && version != kube::GetString(old, "metadata.resourceVersion")) {
          return Modified(*call.resource, call.place.name);
        }
        auto made = kube::Apply(rules, &old, wish, writer, force);
        if (!made) return ApplyFailure(made.error());
        return NewState{.object = *std::move(made), .conditional = conditional, .owned = true};
      });
}

}  // namespace

Task<Result<Answer>> CreateObject(const Services& services, const Call& call) {
  CO_TRY(const auto options, ReadWriteOptions(call.target, "CreateOptions"));
  StrictFindings findings;
  CO_TRY(json::value object, DecodeObject(services, call, findings));
  CO_CHECK(CheckKind(*call.resource, object));
  co_return co_await StoreNewObject(services, call, options, std::move(object), false,
                                    std::move(findings));
}

Task<Result<Answer>> UpdateObject(const Services& services, const Call& call, Part part) {
  CO_TRY(const auto options, ReadWriteOptions(call.target, "UpdateOptions"));
  StrictFindings findings;
  CO_TRY(json::value object, DecodeObject(services, call, findings));
  CO_CHECK(CheckKind(*call.resource, object));
  CO_CHECK(CheckName(call, object));
  const bool conditional = !kube::GetString(object, "metadata.resourceVersion").empty();
  const bool create = call.resource->create_on_update && part == Part::kMain && !conditional;
  if (create && !IsThere(services, call)) {
    co_return co_await StoreNewObject(services, call, options, std::move(object), false,
                                      std::move(findings));
  }
  if (IsThere(services, call)) CO_CHECK(CheckVersionGiven(call, object));
  co_return co_await ChangeObject(
      services, call, part, options,
      [&](const json::value& /*old*/, StrictFindings& found) -> Result<NewState> {
        found = findings;
        return NewState{.object = object, .conditional = conditional};
      });
}

Task<Result<Answer>> PatchObject(const Services& services, const Call& call, Part part) {
  CO_TRY(const auto options, ReadWriteOptions(call.target, "PatchOptions"));
  CO_TRY(const auto type, PatchTypeOf(*call.resource, call.content_type));
  if (type == PatchType::kApply) co_return co_await ApplyObject(services, call, part, options);
  if (options.force) {
    co_return InvalidOptions(
        "PatchOptions",
        {kube::ForbiddenError("force", "may not be specified for non-apply patch")});
  }
  StrictFindings findings;
  CO_TRY(const json::value patch, DecodeText(call.body, false, findings));
  const bool conditional = !kube::GetString(patch, "metadata.resourceVersion").empty();
  co_return co_await ChangeObject(
      services, call, part, options,
      [&](const json::value& old, StrictFindings& found) -> Result<NewState> {
        found = findings;
        TRY(json::value object, Patched(*call.resource, type, old, patch));
        if (!object.is_object()) return BadRequest("the patch leaves no object");
        CHECK_OK(CheckKind(*call.resource, object));
        CHECK_OK(CheckName(call, object));
        return NewState{.object = std::move(object), .conditional = conditional, .patched = true};
      });
}

}  // namespace millwright::apiserver
