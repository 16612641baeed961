// Changing machines in place, step by step: old machines become candidates, some are selected,
// drained and updated by somebody on the node, and then change sets.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/model/machine.h"
#include "core/stepwise/plan.h"

namespace millwright::core::stepwise {

struct InPlaceScene {
  Scene base;                     // with a current set, or without one before the first step
  std::vector<Machine> machines;  // of all sets; Machine::set says whose
};

// One machine that changes sets.
struct Transfer {
  std::string machine;
  std::string from;

  friend bool operator==(const Transfer&, const Transfer&) = default;
};

struct InPlaceStep {
  std::optional<int> create_current;
  bool freeze_old = false;    // old sets may not make machines any more
  bool thaw_current = false;  // it was an old set and is current again
  bool offer_old = false;     // nodes of old sets become candidates
  std::vector<Resize> resize;
  std::vector<Transfer>
      transfer;  // then the sizes of `resize` hold, and their nodes take pods again
  std::vector<std::string> select;  // machines whose update may begin
  std::vector<std::string> settle;  // machines that arrived: clean them and their nodes up

  friend bool operator==(const InPlaceStep&, const InPlaceStep&) = default;
};

// Settling what arrived comes first, then sizes and transfers, then the choice of the next ones.
// Every step but the last ends the pass.
InPlaceStep PlanInPlace(const InPlaceScene& scene);

}  // namespace millwright::core::stepwise
