// The status of a Machine, from what a pass saw.
#pragma once

#include <optional>
#include <string>

#include "dialects/capi/records.h"
#include "dialects/capi/status/mirror.h"
#include "dialects/capi/status/set_condition.h"

namespace millwright::dialects::capi {

// A node as its own cluster shows it.
struct SeenNode {
  Conditions conditions;
  std::string kubelet_version;
};

// How well the machine's cluster could be reached.
struct Connection {
  std::optional<WallTime> last_success;  // of a probe; none: never
  int failures_in_a_row = 0;
};

enum class NodeStep : std::uint8_t { kDone, kNotConnected, kFailed };

// Where a deletion stands; see words.h for reasons.
struct DeletionStage {
  std::string reason;
  std::string message;
};

struct MachineFacts {
  bool cluster_provisioned = false;                   // status.initialization of the Cluster
  std::optional<WallTime> control_plane_initialized;  // since when; none: it is not

  SeenExternal bootstrap;  // kNone: there is no configRef
  SeenExternal infrastructure;

  Connection connection;
  Duration connection_grace = std::chrono::minutes(5);
  NodeStep node_step = NodeStep::kDone;
  std::optional<SeenNode> node;  // none: there is none, or it was not looked for

  std::optional<DeletionStage> deletion;  // none: only that it is deleting is known, if it is

  // Of an update in place; the mark on the machine says that there is one.
  bool update_failed = false;
  std::string update_message;

  // Both, or it belongs to no deployment.
  const SetRecord* set = nullptr;
  const DeploymentRecord* deployment = nullptr;

  bool succeeded = true;  // no step failed
};

struct MachineReport {
  MachineStatus status;
  std::optional<WallTime> look_again;  // when time alone will change it
};

// `machine` is the record as the steps of the pass left it: what they learnt (provider id, flags,
// node, addresses, deletion times) stands in its spec and status already. The phase, the
// conditions of both kinds, lastUpdated and observedGeneration are added here.
MachineReport NextMachineStatus(const MachineRecord& machine, const MachineFacts& facts,
                                WallTime now);

}  // namespace millwright::dialects::capi
