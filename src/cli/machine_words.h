// What a machine does, in words that are the same for every dialect.
#pragma once

#include <string>
#include <string_view>

#include "cli/text_table.h"
#include "dialects/machine_record.h"
#include "dialects/node_record.h"

namespace millwright::cli {

// "Running", "Joining", "Deleting: draining its node".
std::string StateOf(const dialects::MachineRecord& machine);
Mood MoodOf(const dialects::MachineRecord& machine);

// "draining its node", for a stage of deletion.
std::string_view StageWord(core::DeletionStage stage);

// What was said last about it, without the wrapping that errors of clouds come in: "Internal: no
// answer". Empty: nothing that a person needs to know of one that is well.
std::string NewsOf(const dialects::MachineRecord& machine);

// "machine codes error: code = [Internal] message = [no answer]" is "Internal: no answer" to
// people.
std::string PlainCloudError(std::string_view description);

// "Ready", "NotReady,SchedulingDisabled", as kubectl writes it.
struct NodeState {
  std::string text;
  bool ready = false;
  std::string why;  // it is not ready, in its own words
};
NodeState StateOf(const dialects::NodeRecord& node);

}  // namespace millwright::cli
