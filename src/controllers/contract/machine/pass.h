// One look at one machine: what was seen at its beginning, and what its steps make of it.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "controllers/contract/external/externals.h"
#include "controllers/contract/remote/remote_clusters.h"
#include "dialects/capi/status/machine_status.h"

namespace millwright::controllers::contract {

struct Pass {
  capi::MachineRecord seen;
  capi::MachineRecord machine;  // as the steps leave it
  capi::ClusterRecord cluster;
  std::optional<capi::SetRecord> set;
  std::optional<capi::DeploymentRecord> deployment;
  ExternalLook bootstrap;
  ExternalLook infrastructure;
  ExternalLook control_plane;             // only of a machine that is being deleted
  std::shared_ptr<RemoteCluster> remote;  // null: not connected
  capi::MachineFacts facts;

  std::vector<Error> errors;  // steps do not stop each other
  std::optional<WallTime> look_again;
  bool finished = false;  // it may go

  bool deleting() const { return seen.deleting(); }
  void Failed(Error error) {
    facts.succeeded = false;
    errors.push_back(std::move(error));
  }
  void LookAgain(WallTime when) {
    if (!look_again || when < *look_again) look_again = when;
  }
};

// All errors as one; how soon to try again is decided by the one that may pass soonest.
Error Joined(std::vector<Error> errors);

}  // namespace millwright::controllers::contract
