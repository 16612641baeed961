// A small cluster for tests of what commands show: one deployment, one set, one machine, and what
// their providers made.
#pragma once

#include <string>
#include <string_view>

#include "cli/contract_seen.h"
#include "dialects/capi/names.h"
#include "dialects/capi/testing.h"

namespace millwright::cli::testing {

namespace capi = dialects::capi;
using capi::Truth;
using capi::testing::kNow;
using namespace std::chrono_literals;

inline void Say(capi::Conditions& conditions, std::string type, Truth status,
                std::string reason = {}, std::string message = {}) {
  std::erase_if(conditions, [&](const capi::Condition& old) { return old.type == type; });
  conditions.push_back({.type = std::move(type),
                        .status = status,
                        .reason = std::move(reason),
                        .message = std::move(message),
                        .since = kNow - 5min});
}

inline kube::OwnerReference OwnedBy(std::string_view kind, std::string name) {
  return {.api_version = std::string(capi::kApiVersion),
          .kind = std::string(kind),
          .name = name,
          .uid = Uid("uid-" + name),
          .controller = true,
          .block_owner_deletion = true};
}

inline void Name(capi::Header& object, std::string name) {
  object.meta.key = {"default", name};
  object.meta.uid = Uid("uid-" + name);
  object.created = kNow - 10min;
}

// Everything is well; each test spoils something.
struct SampleCluster {
  ContractSeen seen;
  ServedExternal machines{.group = "test",
                          .kind = "TestMachine",
                          .resource = {"test", "v1", "testmachines"},
                          .contract = {.is_v1beta2 = true, .version = "v1"}};
  ServedExternal bootstraps{.group = "test",
                            .kind = "TestBootstrap",
                            .resource = {"test", "v1", "testbootstraps"},
                            .contract = {.is_v1beta2 = true, .version = "v1"}};

  SampleCluster() {
    MakeCluster();
    MakeOwners();
    MakeMachine();
    seen.served = {machines, bootstraps};
  }

  capi::ClusterRecord& cluster() { return seen.clusters.front(); }
  capi::DeploymentRecord& deployment() { return seen.deployments.front(); }
  capi::SetRecord& set() { return seen.sets.front(); }
  capi::MachineRecord& machine() { return seen.machines.front(); }
  capi::ExternalRecord& infrastructure() { return External("TestMachine"); }
  capi::ExternalRecord& bootstrap() { return External("TestBootstrap"); }

  capi::ExternalRecord& External(std::string kind) {
    return seen.externals.at({"default", {.kind = kind, .name = "w-1", .group = "test"}}).object;
  }

 private:
  void MakeCluster() {
    capi::ClusterRecord cluster;
    Name(cluster, "demo");
    cluster.status.phase = "Provisioned";
    cluster.status.infrastructure_provisioned = true;
    Say(cluster.status.conditions, "InfrastructureReady", Truth::kTrue);
    Say(cluster.status.conditions, "ControlPlaneInitialized", Truth::kTrue);
    Say(cluster.status.conditions, "RemoteConnectionProbe", Truth::kTrue);
    seen.clusters = {cluster};
  }

  void MakeOwners() {
    capi::DeploymentRecord deployment;
    Name(deployment, "workers");
    deployment.spec.cluster = "demo";
    deployment.spec.replicas = 1;
    deployment.spec.strategy = "RollingUpdate";
    deployment.annotations[std::string(capi::annotations::kRevision)] = "2";
    deployment.status.replicas = deployment.status.ready = deployment.status.available =
        deployment.status.up_to_date = 1;
    capi::SetRecord set;
    Name(set, "workers-a");
    set.owners = {OwnedBy(capi::kDeploymentKind, "workers")};
    set.spec.cluster = "demo";
    set.spec.replicas = 1;
    set.annotations[std::string(capi::annotations::kRevision)] = "2";
    set.status.replicas = set.status.ready = set.status.available = set.status.up_to_date = 1;
    seen.deployments = {deployment};
    seen.sets = {set};
  }

  void MakeMachine() {
    capi::MachineRecord machine;
    Name(machine, "w-1");
    machine.owners = {OwnedBy(capi::kSetKind, "workers-a")};
    machine.finalizers = {std::string(capi::finalizers::kMachine)};
    machine.spec.cluster = "demo";
    machine.spec.provider_id = "test:///w-1";
    machine.spec.infrastructure = {.kind = "TestMachine", .name = "w-1", .group = "test"};
    machine.spec.bootstrap = {.kind = "TestBootstrap", .name = "w-1", .group = "test"};
    machine.status.phase = "Running";
    machine.status.node = "node-1";
    machine.status.infrastructure_provisioned = machine.status.data_secret_created = true;
    for (const char* type : {"Ready", "Available", "BootstrapConfigReady", "InfrastructureReady",
                             "NodeHealthy", "NodeReady"}) {
      Say(machine.status.conditions, type, Truth::kTrue);
    }
    seen.machines = {machine};
    capi::ExternalRecord made;
    Name(made, "w-1");
    made.provisioned = made.data_secret_created = true;
    made.data_secret = "w-1";
    seen.Add(machines, made);
    seen.Add(bootstraps, made);
  }
};

}  // namespace millwright::cli::testing
