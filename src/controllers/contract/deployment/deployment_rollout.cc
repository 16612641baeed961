#include <fmt/format.h>

#include <boost/json/serialize.hpp>

#include <algorithm>

#include "controllers/contract/deployment/deployment_controller.h"
#include "controllers/contract/shared/belonging.h"
#include "controllers/contract/shared/resources.h"
#include "core/replicas/names.h"
#include "dialects/capi/body_parts.h"
#include "dialects/capi/label_value.h"
#include "dialects/capi/naming.h"

namespace millwright::controllers::contract {

namespace json = boost::json;
using capi::SetRecord;

namespace {

// The name of a new set comes from whose it is and what its machines are like, so that two who
// decide alike make the same one.
capi::SetName FreshName(const capi::DeploymentRecord& deployment, const Caches& caches) {
  const std::string_view wish = deployment.template_text.view();
  const core::NameSequence sequence(
      Uid(fmt::format("{}/{}", deployment.meta.uid.str(), capi::Fnv1a(wish))));
  for (std::uint32_t serial = 0;; ++serial) {
    capi::SetName name = capi::NewSetName(deployment.meta.key.name, wish, sequence.Suffix(serial));
    const kube::ObjectKey key{deployment.meta.key.namespace_, name.name};
    if (caches.sets.store().Find(key) == nullptr) return name;
  }
}

}  // namespace

Task<void> DeploymentController::RollOut(Pass& pass) {
  const WallTime now = surroundings_.clock.Now();
  const capi::SetName fresh = FreshName(pass.deployment, caches_);
  DeploymentScene scene{
      .deployment = &pass.deployment, .sets = {}, .new_set = fresh.name, .moves = {}};
  // One that goes takes part until it is gone: its machines exist.
  for (const SetRecord& set : pass.sets) scene.sets.push_back(&set);
  if (surroundings_.settings.in_place_updates) {
    if (Result<void> asked = co_await AskAboutInPlace(pass, scene); !asked) {
      pass.Note(std::move(asked));
      co_return;
    }
  }
  Result<DeploymentPlan> plan = PlanDeployment(scene, now);
  if (!plan) {
    pass.Note(Failure(plan.error()));
    co_return;
  }
  pass.look_again = plan->look_again;
  const std::optional<std::string> revision = plan->revision;
  co_await WriteSets(pass, *std::move(plan), fresh);
  if (revision && pass.result) co_await WriteRevision(pass, *revision);
}

Task<void> DeploymentController::WriteSets(Pass& pass, DeploymentPlan plan, capi::SetName fresh) {
  const capi::DeploymentRecord& deployment = pass.deployment;
  for (const PlannedSet& planned : plan.sets) {
    if (planned.set == nullptr) {
      if (!pass.templates_known) co_return;  // soon
      if (!pass.facts.missing_templates.empty()) {
        pass.facts.current_problem = "cannot create a MachineSet when templates do not exist";
        pass.Note(Fail(ErrorKind::kUnavailable, pass.facts.current_problem));
        co_return;
      }
      const kube::ObjectKey key{deployment.meta.key.namespace_, fresh.name};
      auto written = co_await Apply(pass, key, capi::SetBody(deployment, fresh, planned.wish));
      if (!written) {
        pass.facts.current_problem = written.error().message();
        Tell(
            deployment, kube::EventSeverity::kWarning, "FailedCreate",
            fmt::format("Failed to create MachineSet {}: {}", key.name, written.error().message()));
        pass.Note(Failure(written.error()));
        co_return;
      }
      pass.wrote = true;
      created_[deployment.meta.uid].push_back(key);
      Tell(deployment, kube::EventSeverity::kNormal, "SuccessfulCreate",
           fmt::format("Created MachineSet {} with {} replicas", key.name, planned.wish.replicas));
      continue;
    }
    const SetRecord& set = *planned.set;
    if (set.deleting()) continue;
    json::object body = capi::SetBody(deployment, set, planned.wish);
    if (!capi::NeedsApply(body, set)) continue;
    // Who has an old view of it must not undo what another decided since.
    body["metadata"].as_object()["resourceVersion"] = set.meta.resource_version.str();
    auto written = co_await Apply(pass, set.meta.key, std::move(body));
    if (!written) {
      Tell(deployment, kube::EventSeverity::kWarning, "FailedUpdate",
           fmt::format("Failed to update MachineSet {}: {}", set.meta.key.name,
                       written.error().message()));
      pass.Note(Failure(written.error()));
      continue;
    }
    pass.wrote = true;
    const int before = set.spec.replicas.value_or(0);
    if (before != planned.wish.replicas) {
      Tell(deployment, kube::EventSeverity::kNormal, "SuccessfulScale",
           fmt::format("Scaled {} MachineSet {}: {} -> {}",
                       before < planned.wish.replicas ? "up" : "down", set.meta.key.name, before,
                       planned.wish.replicas));
    }
  }
}

Task<Result<kube::ResourceVersion>> DeploymentController::Apply(const Pass&, kube::ObjectKey key,
                                                                json::object body) {
  const kube::PatchOptions options{
      .write = {.field_manager = std::string(capi::managers::kDeployment),
                .subresource = {},
                .field_validation = {}},
      .force = true};
  CO_TRY(const kube::Document written,
         co_await surroundings_.management.Apply(kSets, key, json::serialize(body), options));
  CO_TRY(const kube::Meta meta, written.ReadMeta());
  caches_.sets.guard().Expect(key, meta.resource_version);
  co_return meta.resource_version;
}

Task<void> DeploymentController::WriteRevision(Pass& pass, std::string revision) {
  capi::DeploymentRecord& deployment = pass.deployment;
  if (Annotation(deployment, capi::annotations::kRevision) == revision) co_return;
  auto written = co_await deployments_.Patch(
      deployment.meta,
      {{"metadata", {{"annotations", {{std::string(capi::annotations::kRevision), revision}}}}}});
  if (!written) {
    pass.Note(Failure(written.error()));
    co_return;
  }
  // The status is written to the object as it is now.
  deployment.meta.resource_version = *written;
}

}  // namespace millwright::controllers::contract
