// One virtual machine of the simulated cloud, with all that was made for it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/id.h"
#include "providers/simulated/class_spec.h"

namespace millwright::providers {

enum class VmState {
  kNone,  // not made: only what it needs is there
  kBooting,
  kRunning,
  kStopping,
  kGone,
};

std::string_view ToString(VmState state);

// For whom it was made, as the cloud remembers it.
struct VmTags {
  std::string cluster;
  std::string class_name;
  std::string machine;
  std::string namespace_;
  Uid machine_uid;  // empty: made before anybody wrote that down

  friend bool operator==(const VmTags&, const VmTags&) = default;
};

// What exists beside the VM and costs money without it.
struct Dependants {
  bool nic = false;
  bool disk = false;

  bool Any() const { return nic || disk; }
  friend bool operator==(const Dependants&, const Dependants&) = default;
};

// What is said of its node in the cluster.
enum class NodeSight { kNone, kReady, kSilent };

// The record stays when the VM has gone: a lagging list still shows it, and its token is spent.
// (A cloud that is told to forget drops it after a while.)
struct Vm {
  std::uint64_t number = 0;  // in the order of making
  std::string id;
  std::string token;
  VmTags tags;
  std::string node;
  std::shared_ptr<const ClassSpec> spec;

  VmState state = VmState::kNone;
  Dependants dependants;
  bool by_script = false;  // no caller asked for it
  bool initialized = false;
  bool halted = false;  // switched off from outside

  SteadyTime since = kNever;  // the record's first part was made
  SteadyTime until = kNever;  // the last one went
  SteadyTime made = kNever;   // the VM
  SteadyTime gone = kNever;   // likewise
  WallTime made_at{};

  // The node: what should be seen of it, what was shown last, and whether that is being changed.
  NodeSight node_wished = NodeSight::kNone;
  NodeSight node_shown = NodeSight::kNone;
  std::uint64_t node_ticket = 0;  // its place in the queue; zero: it is not there
  bool node_busy = false;

  bool Lives() const {
    return state == VmState::kBooting || state == VmState::kRunning || state == VmState::kStopping;
  }
  bool Present() const { return Lives() || dependants.Any(); }
};

}  // namespace millwright::providers
