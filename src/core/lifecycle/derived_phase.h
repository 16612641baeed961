// The phase of a machine where it is derived from what is seen (Cluster API).
#pragma once

#include "core/model/phase.h"

namespace millwright::core {

struct DerivedPhaseView {
  Phase before = Phase::kNew;
  bool bootstrap_ready = false;
  bool infrastructure_ready = false;
  bool has_instance = false;  // its id is known
  bool has_node = false;
  bool updating = false;
  bool deleting = false;
};

// If nothing applies the phase stays what it was.
Phase DerivePhase(const DerivedPhaseView& machine);

}  // namespace millwright::core
