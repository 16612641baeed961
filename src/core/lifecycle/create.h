// From a machine without an instance to one whose node is awaited. Each answer of the cloud leads
// to the next step; nothing is assumed about what happened before.
#pragma once

#include <optional>
#include <string>

#include "core/lifecycle/cloud_code.h"
#include "core/lifecycle/retry.h"
#include "core/model/phase.h"

namespace millwright::core {

// What one call to the cloud said.
struct CloudAnswer {
  std::optional<CloudCode> code;  // none: it failed in a way that nobody can read
  std::string instance;           // the provider's id of the instance, if it says one
  std::string node;               // the name its node will have, likewise

  bool ok() const { return code == CloudCode::kOk; }

  friend bool operator==(const CloudAnswer&, const CloudAnswer&) = default;
};

struct CreateView {
  std::string name;                // of the machine
  std::string instance;            // as recorded
  std::string node;                // likewise
  bool metadata_complete = false;  // all that is recorded with an instance is there
  bool expects_node = true;        // there is a cluster to join
  Phase phase = Phase::kNew;
  WallTime created{};
  Duration time_limit{};  // for creation and joining

  // What was learnt in this pass.
  std::optional<CloudAnswer> found;
  std::optional<CloudAnswer> made;
  std::optional<CloudAnswer> initialized;
  bool recorded = false;         // metadata were written, or failed to be and will be later
  bool node_name_taken = false;  // there is a node of the name that the new instance has
};

enum class CreateStep {
  kFind,  // ask the cloud whether it has the instance: adopting comes before making
  kMake,
  kDiscard,  // remove what was made: its node's name belongs to another node
  kRecord,   // write id, node name and priority to the machine
  kInitialize,
  kShow,  // write the phase below
  kRest,  // nothing is left to do here
  kGiveUpForNow,
};

struct CreatePlan {
  CreateStep step = CreateStep::kRest;
  Retry retry = Retry::kNow;
  std::optional<Phase> phase;  // to be shown, with the code as its reason
  CloudCode code = CloudCode::kOk;
  bool keep_cloud_state = true;  // what the provider asked us to remember for it
  std::string instance;          // for kRecord and kDiscard
  std::string node;

  friend bool operator==(const CreatePlan&, const CreatePlan&) = default;
};

CreatePlan PlanCreate(const CreateView& machine, WallTime now);

}  // namespace millwright::core
