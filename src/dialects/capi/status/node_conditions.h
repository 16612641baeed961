// NodeReady and NodeHealthy: what a machine shows of its node.
#pragma once

#include "dialects/capi/status/machine_status.h"

namespace millwright::dialects::capi {

struct NodeShown {
  std::optional<Shown> ready;  // none: leave what is shown
  std::optional<Shown> healthy;
  std::optional<WallTime> look_again;  // when a lost connection will show

  friend bool operator==(const NodeShown&, const NodeShown&) = default;
};

NodeShown ShowNode(const MachineRecord& machine, const MachineFacts& facts, WallTime now);

}  // namespace millwright::dialects::capi
