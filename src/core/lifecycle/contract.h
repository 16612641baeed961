// What a machine learns from the objects that others fill for it: its bootstrap data and its
// instance.
#pragma once

#include <optional>
#include <string>

#include "base/time.h"

namespace millwright::core {

enum class ObjectState { kNone, kFound, kMissing, kUnreadable };  // kNone: the machine names none

// One step's outcome. Steps do not stop each other; failures are collected.
struct ContractOutcome {
  enum class Kind {
    kNothing,    // nothing to learn, or nothing yet: an event will wake us
    kLearnt,     // the facts below hold
    kLookAgain,  // it should be there and is not: look again after the delay
    kError,      // something is wrong; `missing_after_use` tells the worst of it
  };

  Kind kind = Kind::kNothing;
  std::string error;
  bool missing_after_use = false;  // it existed, was used, and is gone

  friend bool operator==(const ContractOutcome&, const ContractOutcome&) = default;
};

// How long to wait for an object that should have been made together with its machine.
inline constexpr Duration kMissingObjectDelay = std::chrono::seconds(30);

struct BootstrapView {
  ObjectState state = ObjectState::kNone;
  bool object_deleting = false;
  bool ready = false;
  std::string reported_secret;
  std::string known_secret;  // of the machine; it keeps its own
  bool machine_deleting = false;
};

// Learnt: the machine's secret is `known_secret` if set, else `reported_secret`, and its data
// exist.
ContractOutcome ReadBootstrap(const BootstrapView& view);

struct InfrastructureView {
  ObjectState state = ObjectState::kFound;
  bool object_deleting = false;
  bool ready = false;
  std::string reported_instance;
  bool provisioned_before = false;  // and so for good: it never reverts
  bool machine_deleting = false;
};

// Learnt: copy the id, the addresses and the failure domain, and note that it is provisioned.
ContractOutcome ReadInfrastructure(const InfrastructureView& view);

}  // namespace millwright::core
