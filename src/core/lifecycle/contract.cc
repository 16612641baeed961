#include "core/lifecycle/contract.h"

namespace millwright::core {
namespace {

using Kind = ContractOutcome::Kind;

}  // namespace

ContractOutcome ReadBootstrap(const BootstrapView& view) {
  switch (view.state) {
    case ObjectState::kNone: return {};
    case ObjectState::kUnreadable:
      return {.kind = Kind::kError, .error = "cannot read bootstrap config"};
    case ObjectState::kMissing:
      return {.kind = view.machine_deleting ? Kind::kNothing : Kind::kLookAgain};
    case ObjectState::kFound: break;
  }
  if (view.object_deleting || !view.ready) return {};
  if (view.known_secret.empty() && view.reported_secret.empty()) {
    return {.kind = Kind::kError, .error = "bootstrap config is ready and names no secret"};
  }
  return {.kind = Kind::kLearnt};
}

ContractOutcome ReadInfrastructure(const InfrastructureView& view) {
  switch (view.state) {
    case ObjectState::kNone: return {};
    case ObjectState::kUnreadable:
      return {.kind = Kind::kError, .error = "cannot read infrastructure"};
    case ObjectState::kMissing:
      if (view.machine_deleting) return {};
      if (!view.provisioned_before) return {.kind = Kind::kLookAgain};
      return {.kind = Kind::kError,
              .error = "infrastructure is gone while its machine exists",
              .missing_after_use = true};
    case ObjectState::kFound: break;
  }
  if (view.object_deleting) return {};
  if (!view.ready && !view.provisioned_before) return {};
  if (view.reported_instance.empty()) return {};
  return {.kind = Kind::kLearnt};
}

}  // namespace millwright::core
