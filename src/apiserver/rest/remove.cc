#include "apiserver/rest/remove.h"

#include <fmt/format.h>

#include <algorithm>

#include <boost/json.hpp>

#include "apiserver/rest/admit.h"
#include "apiserver/rest/body.h"
#include "apiserver/rest/change.h"
#include "apiserver/rest/current_form.h"
#include "apiserver/rest/failures.h"
#include "apiserver/rest/object_text.h"
#include "apiserver/rest/prepare.h"
#include "apiserver/rest/read.h"
#include "kube/api/json_text.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

constexpr std::int64_t kDefaultGraceSeconds = 30;

// A pod that never ran, or has ended, has nothing to do at its end.
std::int64_t GraceOf(const Resource& resource, const json::value& object,
                     const RemovalOptions& options) {
  if (!resource.graceful) return 0;
  const std::string_view phase = kube::GetString(object, "status.phase");
  const bool idle =
      kube::GetString(object, "spec.nodeName").empty() || phase == "Succeeded" || phase == "Failed";
  if (idle) return 0;
  const std::int64_t wished = options.grace_seconds.value_or(
      kube::GetInt(object, "spec.terminationGracePeriodSeconds", kDefaultGraceSeconds));
  return std::max<std::int64_t>(wished, 0);
}

void SetFinalizer(json::object& metadata, std::string_view name, bool wanted) {
  json::array kept;
  if (const json::value* old = metadata.if_contains("finalizers");
      old != nullptr && old->is_array()) {
    for (const json::value& finalizer : old->get_array()) {
      if (finalizer != json::value(name)) kept.push_back(finalizer);
    }
  }
  if (wanted) kept.emplace_back(name);
  if (kept.empty()) {
    metadata.erase("finalizers");
  } else {
    metadata["finalizers"] = std::move(kept);
  }
}

void MarkPropagation(json::object& metadata, RemovalOptions::Propagation propagation) {
  using Propagation = RemovalOptions::Propagation;
  if (propagation == Propagation::kUnset) return;
  SetFinalizer(metadata, "orphan", propagation == Propagation::kOrphan);
  SetFinalizer(metadata, "foregroundDeletion", propagation == Propagation::kForeground);
}

Result<void> CheckPreconditions(const Call& call, const json::value& object,
                                const RemovalOptions& options) {
  const auto check = [&](std::string_view what, const std::string& want, std::string_view have,
                         std::string_view hint) -> Result<void> {
    if (want.empty() || want == have) return Ok();
    return Refuse({.status = "Failure",
                   .message = fmt::format(
                       "Operation cannot be fulfilled on {} \"{}\": the {} in the "
                       "precondition ({}) does not match the {} in record ({}). "
                       "The object might have been {}",
                       call.resource->kind.kind, call.place.name, what, want, what, have, hint),
                   .reason = "Conflict",
                   .details = {.name = call.place.name,
                               .group = call.resource->kind.group,
                               .kind = call.resource->kind.kind},
                   .code = 409});
  };
  CHECK_OK(check("UID", options.uid, kube::GetString(object, "metadata.uid"),
                 "deleted and then recreated"));
  return check("ResourceVersion", options.resource_version,
               kube::GetString(object, "metadata.resourceVersion"), "modified");
}

std::string GoneText(const Resource& resource, const json::value& object) {
  if (resource.graceful) return WriteObject(object);
  json::object details{{"name", kube::GetString(object, "metadata.name")}};
  if (!resource.kind.group.empty()) details["group"] = resource.kind.group;
  details["kind"] = resource.plural;
  details["uid"] = kube::GetString(object, "metadata.uid");
  return json::serialize(json::object{{"kind", "Status"},
                                      {"apiVersion", "v1"},
                                      {"metadata", json::object()},
                                      {"status", "Success"},
                                      {"details", std::move(details)}});
}

Task<Result<std::optional<Answer>>> TryRemove(const Services& services, const Call& call,
                                              RemovalOptions options) {
  CO_TRY(const auto record, FindRecord(services, call));
  const Resource& resource = *call.resource;
  CO_TRY(const auto shown, co_await InCurrentForm(resource, record));
  const json::value old = json::parse(InVersion(*shown, resource));
  CO_CHECK(CheckPreconditions(call, old, options));
  Answer answer;
  if (options.propagation == RemovalOptions::Propagation::kUnset && resource.orphan_warning) {
    options.propagation = RemovalOptions::Propagation::kOrphan;
    if (!resource.orphan_warning->empty()) answer.warnings.push_back(*resource.orphan_warning);
  }
  Admitting admitting(services, call, Admittance::Operation::kDelete, options.dry_run,
                      OptionsObject(options));
  admitting.SetOld(old);
  if (!options.admitted) {
    CO_CHECK(co_await admitting.Mutate(nullptr, answer.warnings));
    CO_CHECK(co_await admitting.Validate(nullptr, answer.warnings));
  }

  json::value marked = MarkForRemoval(resource, old, options, services.clock.Now());
  const bool gone = IsReadyToGo(marked);
  answer.text = gone ? GoneText(resource, marked) : WriteObject(marked);
  if (options.dry_run || (!gone && marked == old)) co_return std::optional(std::move(answer));
  Result<Change> written = Change{};
  if (gone) {
    written = co_await services.store.Delete(record->key, record->mod_revision);
  } else {
    CO_TRY(json::value stored, co_await ForStorage(resource, std::move(marked)));
    written = co_await services.store.Update(record->key, record->mod_revision,
                                             VersionedText(std::move(stored)));
  }
  if (written) {
    if (gone) co_return std::optional(std::move(answer));
    CO_TRY(const auto now, co_await InCurrentForm(resource, written->record));
    answer.text = InVersion(*now, resource);
    co_return std::optional(std::move(answer));
  }
  if (written.error().kind() == ErrorKind::kConflict) co_return std::optional<Answer>();
  if (written.error().kind() == ErrorKind::kNotFound) co_return NotFound(resource, call.place.name);
  co_return Failure(written.error());
}

}  // namespace

json::value MarkForRemoval(const Resource& resource, const json::value& object,
                           const RemovalOptions& options, WallTime now) {
  json::value marked = object;
  json::object& metadata = MetadataOf(marked);
  MarkPropagation(metadata, options.propagation);
  const std::int64_t grace = GraceOf(resource, object, options);
  const bool ending = !kube::GetString(object, "metadata.deletionTimestamp").empty();
  const std::int64_t grace_left = kube::GetInt(object, "metadata.deletionGracePeriodSeconds");
  // Once begun, an end can be hastened, never put off.
  if (ending && grace >= grace_left) return marked;
  metadata["deletionTimestamp"] = FormatTime(now + std::chrono::seconds(grace));
  metadata["deletionGracePeriodSeconds"] = grace;
  if (!ending && metadata.contains("generation")) {
    metadata["generation"] = kube::GetInt(object, "metadata.generation") + 1;
  }
  if (resource.kind.kind == "Namespace" && resource.kind.group.empty()) {
    json::value& status = marked.get_object()["status"];
    if (!status.is_object()) status = json::object();
    status.get_object()["phase"] = "Terminating";
  }
  if (!ending && resource.rules.mark_removal) resource.rules.mark_removal(marked, object, now);
  return marked;
}

Task<Result<Answer>> RemoveWith(const Services& services, const Call& call,
                                RemovalOptions options) {
  while (true) {
    CO_TRY(auto answer, co_await TryRemove(services, call, options));
    if (answer) co_return *std::move(answer);
  }
}

Task<Result<Answer>> RemoveObject(const Services& services, const Call& call) {
  CO_TRY(const json::value body, DecodeOptionalBody(services, call));
  CO_TRY(auto options, ReadRemovalOptions(body, call.target));
  co_return co_await RemoveWith(services, call, std::move(options));
}

Task<Result<Answer>> RemoveCollection(const Services& services, const Call& call) {
  CO_TRY(const auto selected, ReadListOptions(call.target));
  CO_TRY(Answer list, co_await ReadList(services, call, selected));
  CO_TRY(const json::value body, DecodeOptionalBody(services, call));
  CO_TRY(const auto options, ReadRemovalOptions(body, call.target));
  const json::value items = json::parse(list.text);
  for (const json::value& item : items.at("items").get_array()) {
    Call one{.resource = call.resource,
             .place = call.place,
             .target = {},
             .method = call.method,
             .content_type = {},
             .user_agent = call.user_agent,
             .body = {},
             .output = {},
             .user = call.user,
             .refusal_warnings = call.refusal_warnings};
    one.place.name = kube::GetString(item, "metadata.name");
    one.place.namespace_ = kube::GetString(item, "metadata.namespace");
    const auto removed = co_await RemoveWith(services, one, options);
    // One that is gone already is what was wished.
    if (!removed && removed.error().kind() != ErrorKind::kNotFound) {
      co_return Failure(removed.error());
    }
  }
  co_return list;
}

}  // namespace millwright::apiserver
