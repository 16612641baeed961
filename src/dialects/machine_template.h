// What new machines of a set or deployment look like, as far as decisions need it.
#pragma once

#include "kube/api/labels.h"
#include "kube/projection/text_pool.h"

namespace millwright::dialects {

// The texts are JSON in one canonical form, so that equal meaning is equal text; shared, because
// all revisions and machines of a deployment mostly have the same.
struct MachineTemplate {
  kube::Labels labels;
  kube::SharedText whole;   // the template as it was written
  kube::SharedText rolls;   // the part whose change needs new machines
  kube::SharedText passes;  // the part that is handed to existing machines

  friend bool operator==(const MachineTemplate&, const MachineTemplate&) = default;
};

}  // namespace millwright::dialects
