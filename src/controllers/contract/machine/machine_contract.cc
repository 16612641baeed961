// What a machine learns from its providers' objects.
#include "controllers/contract/machine/machine_controller.h"
#include "core/lifecycle/contract.h"
#include "dialects/capi/contract.h"

namespace millwright::controllers::contract {

using capi::MachineRecord;
using core::ContractOutcome;
using core::ObjectState;

namespace {

bool HasLabel(const capi::Header& object, std::string_view label) {
  return object.labels.find(label) != object.labels.end();
}

const std::string* AnnotationOf(const capi::Header& object, std::string_view key) {
  const auto found = object.annotations.find(key);
  return found == object.annotations.end() ? nullptr : &found->second;
}

void CopyFailure(const capi::Reference& reference, const capi::ExternalRecord& object,
                 capi::MachineStatus& status) {
  if (!object.failure_reason.empty()) status.legacy_failure_reason = object.failure_reason;
  if (object.failure_message.empty()) return;
  status.legacy_failure_message = "Failure detected from referenced resource " + reference.kind +
                                  " with name " + reference.name + ": " + object.failure_message;
}

capi::SeenExternal Seen(const ExternalLook& look) {
  capi::SeenExternal seen{.state = look.state, .ready = {}, .conditions_problem = {}};
  if (look.object) {
    seen.ready = look.object->ready_condition;
    seen.conditions_problem = look.object->conditions_problem;
  }
  return seen;
}

// A field of another type than the contract says makes the object unreadable.
void Doubt(ExternalLook& look, std::string problem) {
  if (problem.empty()) return;
  look.state = ObjectState::kUnreadable;
  look.why = std::move(problem);
}

Error Unreadable(const capi::Reference& reference, const ExternalLook& look) {
  return Error(ErrorKind::kInvalid, reference.kind + " " + reference.name + ": " + look.why);
}

}  // namespace

void MachineController::KeepLabels(Pass& pass) {
  MachineRecord& machine = pass.machine;
  machine.labels[std::string(capi::labels::kCluster)] = machine.spec.cluster;
  // Somebody else will own those that say who.
  const bool alone =
      ControllerOf(machine) == nullptr && OwnerOfKind(machine, capi::kClusterKind) == nullptr &&
      !HasLabel(machine, capi::labels::kSet) && !HasLabel(machine, capi::labels::kPool) &&
      !HasLabel(machine, capi::labels::kControlPlaneName);
  if (alone) {
    machine.owners.push_back(OwnerReferenceTo(capi::kClusterKind, pass.cluster.meta, false));
  }
}

Task<Result<void>> MachineController::Own(const Pass& pass, capi::Reference reference,
                                          const ExternalLook& look) {
  OwnershipWish wish{
      .machine = pass.seen.meta, .cluster = pass.seen.spec.cluster, .control_plane = {}};
  if (HasLabel(pass.seen, capi::labels::kControlPlane)) {
    wish.control_plane = pass.cluster.control_plane;
  }
  co_return co_await externals_.Own(std::move(reference), *look.object, std::move(wish));
}

Task<void> MachineController::LearnBootstrap(Pass& pass) {
  const capi::Reference& reference = pass.seen.spec.bootstrap;
  ExternalLook& look = pass.bootstrap;
  if (look.state == ObjectState::kFound) {
    Doubt(look, capi::BootstrapProblem(*look.object, look.served->contract));
  }
  pass.facts.bootstrap = Seen(look);
  if (look.state == ObjectState::kUnreadable) pass.Failed(Unreadable(reference, look));
  if (look.state != ObjectState::kFound) co_return;
  const Result<void> owned = co_await Own(pass, reference, look);
  if (!owned) co_return pass.Failed(owned.error());

  MachineRecord& machine = pass.machine;
  CopyFailure(reference, *look.object, machine.status);
  if (machine.spec.data_secret) {
    machine.status.data_secret_created = true;
    co_return;
  }
  const ContractOutcome outcome =
      core::ReadBootstrap({.state = look.state,
                           .object_deleting = look.object->deleting(),
                           .ready = capi::HasBootstrapData(*look.object, look.served->contract),
                           .reported_secret = look.object->data_secret,
                           .known_secret = {},
                           .machine_deleting = pass.deleting()});
  if (outcome.kind == ContractOutcome::Kind::kError) {
    pass.Failed(Error(ErrorKind::kInvalid, outcome.error));
  } else if (outcome.kind == ContractOutcome::Kind::kLearnt) {
    machine.spec.data_secret = look.object->data_secret;
    machine.status.data_secret_created = true;
  }
}

Task<void> MachineController::LearnInfrastructure(Pass& pass) {
  const capi::Reference& reference = pass.seen.spec.infrastructure;
  ExternalLook& look = pass.infrastructure;
  MachineRecord& machine = pass.machine;
  if (look.state == ObjectState::kFound) {
    Doubt(look, capi::InfrastructureProblem(*look.object, look.served->contract));
  }
  pass.facts.infrastructure = Seen(look);
  if (look.state == ObjectState::kUnreadable) co_return pass.Failed(Unreadable(reference, look));

  core::InfrastructureView view{
      .state = look.state,
      .provisioned_before = machine.status.infrastructure_provisioned.value_or(false),
      .machine_deleting = pass.deleting()};
  if (look.state == ObjectState::kFound) {
    const Result<void> owned = co_await Own(pass, reference, look);
    if (!owned) co_return pass.Failed(owned.error());
    CopyFailure(reference, *look.object, machine.status);
    view.object_deleting = look.object->deleting();
    view.ready = capi::IsProvisioned(*look.object, look.served->contract);
    view.reported_instance = look.object->provider_id;
    // Once it is gone nobody can tell which node was its own.
    if (view.object_deleting && machine.spec.provider_id.empty()) {
      machine.spec.provider_id = look.object->provider_id;
    }
  }
  const ContractOutcome outcome = core::ReadInfrastructure(view);
  if (outcome.missing_after_use) {
    machine.status.legacy_failure_reason = "InvalidConfiguration";
    machine.status.legacy_failure_message = "Machine infrastructure resource " + reference.kind +
                                            " with name " + reference.name +
                                            " has been deleted after being ready";
  }
  if (outcome.kind == ContractOutcome::Kind::kError) {
    pass.Failed(
        Error(ErrorKind::kNotFound, reference.kind + " " + reference.name + ": " + outcome.error));
  }
  if (outcome.kind != ContractOutcome::Kind::kLearnt) co_return;
  machine.spec.provider_id = look.object->provider_id;
  if (!look.object->addresses.empty()) machine.status.addresses = look.object->addresses;
  if (!look.object->failure_domain.empty()) {
    machine.status.failure_domain = look.object->failure_domain;
  }
  if (look.object->wished_failure_domain) {
    machine.spec.failure_domain = *look.object->wished_failure_domain;
  }
  machine.status.infrastructure_provisioned = true;
}

void MachineController::LearnCertificates(Pass& pass) {
  if (!HasLabel(pass.seen, capi::labels::kControlPlane)) return;
  const std::string* expiry = AnnotationOf(pass.seen, capi::annotations::kCertificatesExpiry);
  if (expiry == nullptr && pass.bootstrap.object) {
    expiry = AnnotationOf(*pass.bootstrap.object, capi::annotations::kCertificatesExpiry);
  }
  if (expiry == nullptr) {
    pass.machine.status.certificates_expiry.reset();
    return;
  }
  const auto time = ParseTime(*expiry);
  if (!time) {
    pass.Failed(Error(ErrorKind::kInvalid, "the expiry of certificates is no time: " + *expiry));
    return;
  }
  pass.machine.status.certificates_expiry = *time;
}

}  // namespace millwright::controllers::contract
