#include "core/lifecycle/derived_phase.h"

namespace millwright::core {

Phase DerivePhase(const DerivedPhaseView& machine) {
  Phase phase = machine.before;
  if (machine.bootstrap_ready && !machine.infrastructure_ready) phase = Phase::kProvisioning;
  if (machine.has_instance) phase = Phase::kJoining;
  if (machine.has_node && machine.infrastructure_ready) phase = Phase::kRunning;
  if (machine.updating) phase = Phase::kUpdating;
  if (machine.deleting) phase = Phase::kDeleting;
  return phase;
}

}  // namespace millwright::core
