#include "apiserver/rest/change.h"

#include <array>

#include <boost/json.hpp>

#include "apiserver/rest/body.h"
#include "apiserver/rest/current_form.h"
#include "apiserver/rest/failures.h"
#include "apiserver/rest/fit.h"
#include "apiserver/rest/object_text.h"
#include "apiserver/rest/read.h"
#include "kube/api/apply.h"
#include "kube/api/json_text.h"
#include "kube/api/names.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

// Names are drawn from ten million: a clash is rare, several in a row are not chance.
constexpr int kNameAttempts = 8;
constexpr int kChangeAttempts = 100;

kube::OwnershipRules RulesOf(const Resource& resource, Part part, const kube::Schema* schema) {
  if (part == Part::kStatus) return kube::StatusRules(schema);
  kube::OwnershipRules rules = kube::MainRules(schema, resource.has_status);
  if (resource.rules.normalize) {
    rules.blank = {{"apiVersion", resource.kind.ApiVersion()}, {"kind", resource.kind.kind}};
    (void)resource.rules.normalize(rules.blank);
  }
  return rules;
}

void TakeOwnership(const Services& services, const Call& call, Part part,
                   const WriteOptions& options, const json::value* old, json::value& object) {
  const kube::SchemaPtr schema = call.resource->schema();
  const std::string& endpoint = call.place.subresource;
  // An object that does not fit its schema is left without books, and refused by what comes next.
  (void)kube::UpdateManagedFields(
      RulesOf(*call.resource, part, schema.get()), old, object,
      {.manager = FieldManagerOf(call, options),
       .api_version = call.resource->kind.ApiVersion(),
       .subresource = endpoint,
       // A real server does not say when somebody scaled.
       .time = endpoint == "scale" ? WallTime{} : services.clock.Now()});
}

Birth NewBirth(const Services& services) {
  std::array<std::uint32_t, 5> draws{};
  for (auto& draw : draws) draw = static_cast<std::uint32_t>(services.random.Next());
  return {.now = services.clock.Now(),
          .uid = services.random.Uuid(),
          .name_suffix = kube::RandomSuffix(draws)};
}

// What was written, in the form that the client speaks.
Task<Result<RecordPtr>> WriteOrRemove(const Services& services, const Call& call,
                                      const Record& record, const json::value& object) {
  if (IsReadyToGo(object)) {
    CO_TRY(const auto gone, co_await services.store.Delete(record.key, record.mod_revision));
    json::value last = object;
    SetResourceVersion(last, VersionText(gone.revision()));
    co_return std::make_shared<Record>(Record{.key = record.key, .value = WriteObject(last)});
  }
  CO_TRY(json::value stored, co_await ForStorage(*call.resource, object));
  CO_TRY(const auto change, co_await services.store.Update(record.key, record.mod_revision,
                                                           VersionedText(std::move(stored))));
  co_return co_await InCurrentForm(*call.resource, change.record);
}

// One try. None if somebody else was faster and the client does not mind.
Task<Result<std::optional<Answer>>> TryChange(const Services& services, const Call& call, Part part,
                                              const WriteOptions& options, const MakeNewState& make,
                                              const EndpointForm* form) {
  CO_TRY(const auto record, FindRecord(services, call));
  const Resource& resource = *call.resource;
  CO_TRY(const auto shown, co_await InCurrentForm(resource, record));
  const json::value old = json::parse(InVersion(*shown, resource));
  Answer answer;
  StrictFindings findings;
  CO_TRY(NewState state, make(old, findings));
  json::value& object = state.object;
  const std::string sent(kube::GetString(object, "metadata.resourceVersion"));
  const bool stale = !sent.empty() && sent != VersionText(record->mod_revision);
  if (stale) co_return Modified(resource, call.place.name);
  const std::string uid(kube::GetString(object, "metadata.uid"));
  const std::string_view real_uid = kube::GetString(old, "metadata.uid");
  if (!uid.empty() && uid != real_uid) {
    co_return Conflict(resource, call.place.name,
                       "Precondition failed: UID in precondition: " + uid +
                           ", UID in object meta: " + std::string(real_uid));
  }
  PrepareUpdate(resource, part, old, object);
  const auto fits = PruneAndDefault(resource, object, findings);
  if (!fits && state.patched) {
    co_return InvalidOptions("", {kube::InvalidError("patch", json::value(WriteObject(object)),
                                                     fits.error().message())});
  }
  CO_CHECK(fits);
  CO_CHECK(JudgeFindings(findings, options.field_validation, answer.warnings));

  Admitting admitting(services, call, Admittance::Operation::kUpdate, options.dry_run,
                      OptionsObject("UpdateOptions", call.target, options));
  admitting.SetOld(old, form);
  admitting.SetRefit([&](json::value& changed) -> Result<void> {
    StrictFindings ignored;
    CHECK_OK(PruneAndDefault(resource, changed, ignored));
    PrepareUpdate(resource, part, old, changed);
    return Ok();
  });
  // What admission adds belongs to nobody.
  if (!state.owned) TakeOwnership(services, call, part, options, &old, object);
  CO_CHECK(co_await admitting.Mutate(&object, answer.warnings));
  const auto errors = CheckObject(resource, object, &old, answer.warnings);
  if (!errors.empty()) {
    admitting.KeepWarnings(answer.warnings);
    co_return InvalidObject(resource, call.place.name, errors);
  }
  CO_CHECK(co_await admitting.Validate(&object, answer.warnings));

  SetResourceVersion(object, VersionText(record->mod_revision));
  answer.text = WriteObject(object);
  if (options.dry_run || object == old) co_return std::optional(std::move(answer));
  const auto written = co_await WriteOrRemove(services, call, *record, object);
  if (written) {
    answer.text = InVersion(**written, resource);
    co_return std::optional(std::move(answer));
  }
  if (written.error().kind() == ErrorKind::kConflict) {
    if (state.conditional) co_return Modified(resource, call.place.name);
    co_return std::optional<Answer>();
  }
  if (written.error().kind() == ErrorKind::kNotFound) co_return NotFound(resource, call.place.name);
  co_return Failure(written.error());
}

}  // namespace

std::string StorageApiVersion(const Resource& resource) {
  return kube::ApiVersion(resource.kind.group, resource.storage_version);
}

std::string FieldManagerOf(const Call& call, const WriteOptions& options) {
  if (!options.field_manager.empty()) return options.field_manager;
  return call.user_agent.substr(0, call.user_agent.find('/'));
}

bool IsReadyToGo(const json::value& object) {
  if (kube::GetString(object, "metadata.deletionTimestamp").empty()) return false;
  const json::array* finalizers = kube::GetArray(object, "metadata.finalizers");
  const json::array* spec_finalizers = kube::GetArray(object, "spec.finalizers");
  const bool held = (finalizers != nullptr && !finalizers->empty()) ||
                    (spec_finalizers != nullptr && !spec_finalizers->empty() &&
                     kube::GetString(object, "kind") == "Namespace");
  return !held && kube::GetInt(object, "metadata.deletionGracePeriodSeconds") == 0;
}

Task<Result<Answer>> ChangeObject(const Services& services, const Call& call, Part part,
                                  const WriteOptions& options, MakeNewState make,
                                  const EndpointForm* form) {
  for (int attempt = 0; attempt < kChangeAttempts; ++attempt) {
    CO_TRY(auto answer, co_await TryChange(services, call, part, options, make, form));
    if (answer) co_return *std::move(answer);
  }
  co_return Modified(*call.resource, call.place.name);
}

Task<Result<Answer>> StoreNewObject(const Services& services, const Call& call,
                                    const WriteOptions& options, json::value object, bool owned,
                                    std::vector<std::string> findings) {
  const Resource& resource = *call.resource;
  if (resource.ending) {
    co_return Forbidden(resource, kube::GetString(object, "metadata.name"),
                        "create not allowed while custom resource definition is terminating");
  }
  Answer answer{.code = 201};
  CO_CHECK(PruneAndDefault(resource, object, findings));
  CO_CHECK(JudgeFindings(findings, options.field_validation, answer.warnings));
  CO_CHECK(PrepareForAdmission(resource, call.place, object));
  // The creator owns what it sent and the defaults, not what comes on the way to the store.
  if (!owned) TakeOwnership(services, call, Part::kMain, options, nullptr, object);
  Admitting admitting(services, call, Admittance::Operation::kCreate, options.dry_run,
                      OptionsObject("CreateOptions", call.target, options));
  admitting.SetName(std::string(kube::GetString(object, "metadata.name")));
  admitting.SetRefit([&](json::value& changed) {
    StrictFindings ignored;
    return PruneAndDefault(resource, changed, ignored);
  });
  CO_CHECK(co_await admitting.Mutate(&object, answer.warnings));
  const bool generated = kube::GetString(object, "metadata.name").empty();
  for (int attempt = 1;; ++attempt) {
    json::value wanted = object;
    CO_CHECK(PrepareCreate(resource, call.place, NewBirth(services), wanted));
    const std::string name(kube::GetString(wanted, "metadata.name"));
    const auto errors = CheckObject(resource, wanted, nullptr, answer.warnings);
    if (!errors.empty()) {
      admitting.KeepWarnings(answer.warnings);
      co_return InvalidObject(resource, name, errors);
    }
    admitting.SetName(name);
    CO_CHECK(co_await admitting.Validate(&wanted, answer.warnings));
    const std::string key =
        StorageKey(resource, resource.namespaced ? call.place.namespace_ : std::string(), name);
    if (options.dry_run) {
      if (services.store.Get(key)) co_return AlreadyExists(resource, name);
      answer.text = WriteObject(wanted);
      co_return answer;
    }
    CO_TRY(json::value stored, co_await ForStorage(resource, std::move(wanted)));
    const auto created = co_await services.store.Create(key, VersionedText(std::move(stored)));
    if (created) {
      CO_TRY(const auto record, co_await InCurrentForm(resource, created->record));
      answer.text = InVersion(*record, resource);
      co_return answer;
    }
    if (created.error().kind() != ErrorKind::kAlreadyExists) co_return Failure(created.error());
    if (!generated || attempt == kNameAttempts) co_return AlreadyExists(resource, name);
  }
}

}  // namespace millwright::apiserver
