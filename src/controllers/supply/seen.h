// What the controllers of our own kinds see: those kinds, and whom they serve.
#pragma once

#include <memory>

#include "controllers/contract/external/externals.h"
#include "controllers/contract/remote/remote_clusters.h"
#include "controllers/contract/shared/caches.h"
#include "controllers/supply/records.h"
#include "kube/informer/informer.h"

namespace millwright::controllers::supply {

struct Seen {
  // All outlive it. What the contracts say of machines' objects is read from here, too.
  Seen(contract::Surroundings& surroundings, contract::Caches& served,
       contract::Externals& externals);

  // Runs until cancelled.
  Task<void> Run();
  Task<Wake> WaitSynced();

  // The Machine that owns an object of ours and names it; null: there is none yet.
  const capi::MachineRecord* MachineOf(const capi::Header& object) const;
  // Null: the cluster is not there, or not known yet.
  const capi::ClusterRecord* ClusterOf(const capi::MachineRecord& machine) const;
  // The object, or the cluster it is for, is left alone.
  bool IsPaused(const capi::Header& object, const capi::ClusterRecord* cluster) const;

  contract::Caches& served;
  Reader reader;
  kube::Informer<InstanceRecord> instances;
  kube::Informer<BootstrapRecord> bootstraps;
  kube::Informer<ClusterPartRecord> infrastructures;
  kube::Informer<ClusterPartRecord> control_planes;

 private:
  TaskGroup tasks_;
};

// `{"status": {...}}` with the conditions after one of them changed; the caller adds the rest.
boost::json::array Encode(const capi::Conditions& conditions);

}  // namespace millwright::controllers::supply
