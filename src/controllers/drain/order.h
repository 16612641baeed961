// What is asked of a drain, and what one look at it found.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/id.h"
#include "core/drain/run.h"
#include "kube/api/object_key.h"
#include "providers/cloud.h"

namespace millwright::controllers {

// What one look at a drain found.
struct DrainLook {
  core::DrainState state = core::DrainState::kRunning;
  std::string message;                 // who is awaited or blocks, for people; empty: nobody
  std::optional<WallTime> look_again;  // if nothing wakes us before
};

// How a machine's node is to be emptied.
struct DrainOrder {
  kube::ObjectKey machine;  // who is woken when something changes
  Uid machine_uid;
  std::string node;
  core::DrainRules rules;
  // For the ids of volumes; null: the provider is not asked.
  providers::Cloud* cloud = nullptr;
  std::shared_ptr<const providers::InstanceClass> instance_class;
};

}  // namespace millwright::controllers
