// Requests to somebody else, in kinds of their own, to bring a machine back to health.
#include <fmt/format.h>

#include <boost/json/serialize.hpp>

#include "controllers/contract/health/health_controller.h"
#include "dialects/capi/clone.h"
#include "dialects/capi/contract.h"
#include "dialects/capi/status/words.h"
#include "kube/projection/list.h"

namespace millwright::controllers::contract {

namespace types = capi::types;

namespace {

// "RemediationTemplate" and its version, as the resource of that kind.
kube::GroupVersionResource ResourceOf(const capi::HealthCheckRecord& check, std::string_view kind) {
  return {check.remediation_template.group, check.remediation_template_version, capi::Plural(kind)};
}

}  // namespace

kube::GroupVersionResource HealthController::RequestResource(const capi::HealthCheckRecord& check) {
  return ResourceOf(check, capi::ClonedKind(check.remediation_template.kind));
}

// All at once: there may be thousands of machines, and few requests.
Task<Result<void>> HealthController::FindRequests(Pass& pass) {
  CO_TRY(std::string text,
         co_await surroundings_.management.List(
             RequestResource(pass.check),
             {.namespace_ = pass.check.meta.key.namespace_, .metadata_only = true}));
  CO_CHECK(kube::ForEachListItem(std::move(text), [&](kube::JsonObject object) -> Result<void> {
    kube::Meta meta;
    CHECK_OK(kube::ForEachField(
        object, [&](std::string_view key, kube::JsonValue value) -> Result<void> {
          return key == "metadata" ? kube::ReadInto(value, meta) : Result<void>();
        }));
    if (!meta.deleting_since) pass.requests.insert(meta.key.name);
    pass.all_requests.insert(meta.key.name);
    return {};
  }));
  co_return Ok();
}

Task<void> HealthController::AskExternally(Pass& pass, const capi::MachineRecord& machine,
                                           capi::MachineStatus& next) {
  if (pass.all_requests.contains(machine.meta.key.name)) co_return;  // asked already
  bool template_missing = false;
  const Result<void> asked = co_await CreateRequest(pass, machine, template_missing);
  capi::Shown shown{.status = capi::Truth::kFalse,
                    .reason = std::string(capi::reasons::kWaitingForRemediation),
                    .message = {},
                    .since = {}};
  if (!asked) {
    pass.Note(Failure(asked.error()));
    shown.reason =
        template_missing ? "RemediationTemplateNotFound" : "RemediationRequestCreationFailed";
    shown.message = template_missing
                        ? fmt::format("{} {} does not exist", pass.check.remediation_template.kind,
                                      pass.check.remediation_template.name)
                        : std::string(capi::kSeeLogs);
  }
  capi::Set(next.conditions, types::kExternallyRemediated, shown, machine.meta.generation,
            surroundings_.clock.Now());
}

Task<Result<void>> HealthController::CreateRequest(const Pass& pass,
                                                   const capi::MachineRecord& machine,
                                                   bool& template_missing) {
  auto& client = surroundings_.management;
  const capi::Reference& from = pass.check.remediation_template;
  const kube::ObjectKey key = machine.meta.key;
  CO_TRY(const std::optional<kube::Document> found,
         co_await client.Find(ResourceOf(pass.check, from.kind), {key.namespace_, from.name}));
  if (!found) {
    template_missing = true;
    co_return Fail(ErrorKind::kUnavailable,
                   fmt::format("{} {} does not exist", from.kind, from.name));
  }
  CO_TRY(const boost::json::value source, found->Tree());
  CO_TRY(const boost::json::object body,
         capi::Clone(source.as_object(), {.key = key,
                                          .cluster = machine.spec.cluster,
                                          .labels = {},
                                          .annotations = {},
                                          .owner = capi::FirstOwner(capi::kMachineKind, machine)}));
  auto created =
      co_await client.Create(RequestResource(pass.check), key, boost::json::serialize(body));
  if (!created && created.error().kind() != ErrorKind::kAlreadyExists) {
    co_return Failure(created.error());
  }
  co_return Ok();
}

}  // namespace millwright::controllers::contract
