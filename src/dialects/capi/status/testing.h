// Facts for tests of statuses: a machine of a working cluster, to be spoilt by each test.
#pragma once

#include <string>
#include <string_view>

#include "dialects/capi/names.h"
#include "dialects/capi/status/machine_status.h"
#include "dialects/capi/status/words.h"

namespace millwright::dialects::capi::status_testing {

using namespace std::chrono_literals;

inline const WallTime kNow = *ParseTime("2026-11-16T10:00:00Z");

inline Condition Reported(std::string type, Truth status, std::string message = {},
                          std::string reason = {}, WallTime since = kNow - 1h) {
  return {.type = std::move(type),
          .status = status,
          .reason = std::move(reason),
          .message = std::move(message),
          .since = since};
}

inline SeenNode GoodNode() {
  return {.conditions = {Reported("Ready", Truth::kTrue), Reported("MemoryPressure", Truth::kFalse),
                         Reported("DiskPressure", Truth::kFalse),
                         Reported("PIDPressure", Truth::kFalse)},
          .kubelet_version = "v1.34.1"};
}

// A machine that runs, and what is seen of it.
struct Running {
  MachineRecord machine;
  MachineFacts facts;

  Running() {
    machine.meta.key = {"default", "m"};
    machine.meta.generation = 3;
    machine.created = kNow - 2h;
    machine.spec.cluster = "c";
    machine.spec.bootstrap = {
        .kind = "TestConfig", .name = "m", .group = "bootstrap.cluster.x-k8s.io"};
    machine.spec.infrastructure = {
        .kind = "TestMachine", .name = "m", .group = "infrastructure.cluster.x-k8s.io"};
    machine.spec.version = "v1.34.1";
    machine.spec.provider_id = "test://m";
    machine.status.infrastructure_provisioned = true;
    machine.status.data_secret_created = true;
    machine.status.node = "node-m";
    facts.cluster_provisioned = true;
    facts.control_plane_initialized = kNow - 3h;
    facts.bootstrap.state = core::ObjectState::kFound;
    facts.infrastructure.state = core::ObjectState::kFound;
    facts.connection = {.last_success = kNow - 10s, .failures_in_a_row = 0};
    facts.node = GoodNode();
  }

  MachineReport Report() const { return NextMachineStatus(machine, facts, kNow); }

  // As it was shown before, so that only what follows changes.
  void Settle() { machine.status = Report().status; }

  void Delete(Duration ago) { machine.meta.deleting_since = kNow - ago; }
};

inline Condition Get(const Conditions& conditions, std::string_view type) {
  const Condition* found = Find(conditions, type);
  return found == nullptr ? Condition{.type = "(none)"} : *found;
}

}  // namespace millwright::dialects::capi::status_testing
