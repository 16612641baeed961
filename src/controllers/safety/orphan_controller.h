// Instances without a machine: found by asking the cloud for all of a class, removed only if the
// API server itself says that nobody owns them.
//
// A class is swept when it is first seen, once in every period, when a machine of it is gone, and
// when the cloud found several instances for one machine.
#pragma once

#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "controllers/machine/class_source.h"
#include "controllers/shared/caches.h"
#include "core/safety/orphans.h"
#include "kube/runtime/controller.h"

namespace millwright::controllers {

class OrphanController {
 public:
  OrphanController(Surroundings& surroundings, Caches& caches,
                   const providers::CloudRegistry& clouds);

  // Runs until cancelled; the caches must be synced.
  Task<void> Run() { return controller_.Run(); }
  kube::Controller& controller() { return controller_; }

 private:
  // One sweep over one class.
  struct Round {
    std::string class_name;
    ResolvedClass of;
    int removed = 0;
    bool again_soon =
        false;  // something was too young to be judged, failed, or there was more than allowed
  };

  Task<Result<kube::Requeue>> Sweep(kube::ObjectKey key);
  Task<Result<void>> RemoveOrphans(Round& round, const std::vector<providers::Instance>& listed);
  Task<Result<void>> RemoveSurplus(Round& round, const std::vector<providers::Instance>& listed);
  // Whether it is gone.
  Task<bool> Remove(Round& round, std::string id, std::string machine);
  // Whether a later sweep will find the instance's node, if it has one.
  Task<bool> MarkNode(Round& round, const providers::Instance& instance);
  // Its node, if it has one.
  Task<Result<std::optional<dialects::NodeRecord>>> FindNode(const providers::Instance& instance);
  // Marked nodes whose instances are gone: none of `live`.
  Task<void> RemoveMarkedNodes(Round& round, std::set<std::string> live);
  Task<Result<void>> RemoveNode(kube::Meta node);
  // What the API server says now, not the cache; none: there is no such machine.
  Task<Result<std::optional<dialects::MachineRecord>>> ReadLive(std::string machine);
  void OnMachine(const dialects::MachineRecord* before, const dialects::MachineRecord* after);
  void SweepSoon(const std::string& class_name);
  kube::Requeue Next(const std::string& class_name, Duration after) const;

  Surroundings& surroundings_;
  Caches& caches_;
  Logger log_;
  ClassSource classes_;
  std::unordered_map<std::string, SteadyTime> swept_;   // when each class was, last
  std::unordered_map<std::string, SteadyTime> wanted_;  // when each is to be, before its period
  kube::Controller controller_;
};

}  // namespace millwright::controllers
