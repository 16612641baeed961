// What to do next for an instance that a Machine of Cluster API names.
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"

namespace millwright::controllers::supply {

struct InstanceView {
  bool deleting = false;
  bool is_protected = false;  // our finalizer is there
  bool paused = false;
  bool has_machine = false;  // a Machine owns it
  bool machine_deleting = false;
  bool cluster_provisioned = false;  // the cluster's own infrastructure is there
  bool has_data = false;             // what it starts with is there
  bool in_doubt = false;             // it was asked for, and nobody has heard of it yet
  bool has_instance = false;         // its id is recorded
  bool provisioned = false;          // and shown
};

enum class InstanceStep : std::uint8_t {
  kRest,
  kProtect,    // add the finalizer: its id was known from the beginning
  kMake,       // after a note that this was begun
  kFindOut,    // what came of that: its machine goes, and its node with it
  kShowAgain,  // it is recorded and not shown: the object was moved here, or we crashed in between
  kRemove,
};

// A machine that is not owned yet may be swept away with its set's other leftovers, so nothing is
// made for it.
InstanceStep PlanInstance(const InstanceView& view);

struct EndView {
  bool may_exist = false;         // something was made for it, or may have been
  std::optional<ErrorKind> lack;  // why its cloud cannot be asked
};

enum class EndStep : std::uint8_t {
  kAskCloud,
  kLetGo,  // nobody can be asked, and there is nothing to ask for
  kWait,   // for what is missing
};

// The end of an object that has our finalizer. One whose cloud nobody serves, or whose credentials
// are not there, is held only for what may exist.
EndStep PlanEnd(const EndView& view);

}  // namespace millwright::controllers::supply
