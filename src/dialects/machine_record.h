// A machine object as controllers see it, whatever dialect it is written in.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/lifecycle/deletion.h"
#include "core/model/machine.h"
#include "core/preserve/wish.h"
#include "dialects/condition_list.h"
#include "kube/api/labels.h"
#include "kube/projection/meta.h"
#include "kube/projection/text_map.h"

namespace millwright::dialects {

// The object that controls another.
struct Owner {
  std::string kind;
  std::string name;
  Uid uid;

  friend auto operator<=>(const Owner&, const Owner&) = default;
};

// Limits that a machine sets for itself; none: the process's flag.
struct MachineLimits {
  std::optional<Duration> creation;
  std::optional<Duration> health;
  std::optional<Duration> drain;
  std::optional<Duration> update;
  std::optional<Duration> preserve;
  std::optional<int> evict_retries;
  std::optional<std::vector<std::string>> node_conditions;
  bool never_fail_for_health = false;

  friend auto operator<=>(const MachineLimits&, const MachineLimits&) = default;
};

enum class Operation : std::uint8_t {
  kNone,
  kCreate,
  kHealthCheck,
  kDrain,
  kDelete,
  kUpdateInPlace
};
enum class OperationState : std::uint8_t { kNone, kProcessing, kFailed, kSuccessful };

// What the machine says was done last.
struct ShownOperation {
  Operation operation = Operation::kNone;
  OperationState state = OperationState::kNone;
  Text description;
  Text error_code;
  std::optional<WallTime> at;

  friend bool operator==(const ShownOperation&, const ShownOperation&) = default;
};

// There are very many of these, so what many have in common is shared, and nothing is there twice.
struct MachineRecord {
  kube::Meta meta;
  Text problem;  // why its spec makes no sense; empty: it does
  kube::TextMap labels;
  Shared<Owner> owner;  // the controlling one
  Shared<std::vector<std::string>> finalizers;
  core::MachineFacts core;

  // What its set hands down to it, and what is to be brought to its node, in canonical form.
  kube::SharedText passes;
  kube::SharedText node_template;

  Text class_kind;
  Text class_name;
  Text instance;  // the provider's id, as recorded
  Text node;      // the name of its node, as recorded
  Shared<MachineLimits> own_limits;

  // What it shows.
  ShownOperation operation;
  WallTime phase_since{};
  ConditionList conditions;  // of its node, as last copied
  Text remembered;           // for its provider
  std::optional<core::DeletionStage> stage;
  std::optional<core::Phase> phase_before_deletion;

  // Wishes to keep it.
  std::optional<core::WrittenWish> wish;
  std::optional<core::PreserveWish> applied_from_node;

  bool has_priority = false;     // its place in the order of deletion is recorded
  bool forced_deletion = false;  // by the user
  bool forced_drain = false;

  const MachineLimits& limits() const { return own_limits.get(); }

  friend bool operator==(const MachineRecord&, const MachineRecord&) = default;
};

// What planners may know of it.
inline core::Machine Whole(const MachineRecord& machine) {
  return {machine.core, machine.meta.uid, machine.meta.key.name};
}

}  // namespace millwright::dialects
