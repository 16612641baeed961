// What a look at a live machine is about, where we make the instance ourselves.
#pragma once

#include <optional>
#include <string>

#include "core/lifecycle/retry.h"
#include "core/model/phase.h"

namespace millwright::core {

// The description of the instance and the secrets that go with it.
enum class ClassState {
  kReady,
  kMissing,
  kUnprotected,  // nothing keeps it from being deleted while we use it
  kInvalid,      // what it says of its nodes is not complete
};

struct LiveView {
  bool has_finalizer = false;
  bool deleting = false;
  bool creation_under_way = false;  // a call to the cloud is out
  bool frozen = false;              // our view of the world may be false; nobody acts on it
  bool valid = true;                // the machine's own fields
  ClassState class_state = ClassState::kReady;
  Phase phase = Phase::kNew;
  bool has_instance = false;   // recorded on the machine
  bool has_node_name = false;  // likewise
};

enum class LiveStep {
  kAddFinalizer,  // first of all: an instance made without it could outlive its machine
  kLeaveToDeletion,
  kWait,
  kProtectClass,
  kCheckNode,  // health, node template, update in place, preservation; then PlanAfterNode
};

struct LivePlan {
  LiveStep step = LiveStep::kWait;
  Retry retry = Retry::kLong;

  friend bool operator==(const LivePlan&, const LivePlan&) = default;
};

LivePlan PlanLiveMachine(const LiveView& machine);

// Whether its node can be looked at at all.
bool HasNodeToCheck(const LiveView& machine);

// Whether the instance has still to be made, or to be confirmed.
bool NeedsInstance(const LiveView& machine);

}  // namespace millwright::core
