// Machines that change sets instead of being replaced: they keep running and are updated in place.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/model/machine.h"

namespace millwright::core {

struct ReplicaPlan;

// Chooses what a set gives away to get rid of `surplus` machines; `order` is its victim order. What
// is to be replaced anyway goes away instead, what is going counts, and what is in the middle of a
// change or has no node yet stays, so fewer may move than were asked for.
ReplicaPlan PlanHandOver(std::span<const Machine* const> order, int surplus);

// What a giving set knows of the one it gives to.
struct HandOverTarget {
  bool exists = false;
  std::vector<std::string> receives_from;  // names of sets
  bool has_revision_label = false;         // without it the machine would not match its new set
};

// Both sides must agree before a machine changes hands.
Result<void> CheckHandOver(const std::string& from, const std::string& to,
                           const HandOverTarget& target);

enum class ReceiveStep {
  kNothing,
  kWaitToBeCounted,  // the deployment has not counted it in this set's size
  kForgetAndUpdate,  // drop the mark that it is uncounted, then begin its update
  kUpdate,
};

// The next step for a machine that came from another set and is to be updated here.
ReceiveStep PlanReceive(const Machine& machine, bool set_receives, bool acknowledged);

}  // namespace millwright::core
