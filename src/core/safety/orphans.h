// Instances without a machine, and nodes without one. Nothing goes on doubt: what is not in a list
// may just not have been listed.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/time.h"
#include "core/model/phase.h"

namespace millwright::core {

struct FoundInstance {
  std::string id;
  std::string machine;           // the name of the machine that it says it was made for
  std::optional<WallTime> made;  // if the cloud says when

  friend bool operator==(const FoundInstance&, const FoundInstance&) = default;
};

struct MachineRecord {
  std::string name;
  std::string instance;  // as recorded; empty: none yet
  Phase phase = Phase::kNew;
};

enum class InstanceVerdict {
  kKeep,
  kTooYoung,  // it may be so new that its machine is not seen yet
  kConfirm,   // nobody's, as far as is seen: a live read decides; ConfirmOrphan
};

// `machine` none: none of that name is in the cache.
InstanceVerdict JudgeInstance(const FoundInstance& instance,
                              const std::optional<MachineRecord>& machine, Duration grace,
                              WallTime now);

// After a live read: `live` none means that the API server itself says there is no such machine.
bool IsOrphan(const FoundInstance& instance, const std::optional<MachineRecord>& live);

struct Sweep {
  std::vector<FoundInstance> confirm;
  bool cut_short = false;  // there were more than one sweep may touch

  friend bool operator==(const Sweep&, const Sweep&) = default;
};

struct SweepPolicy {
  Duration grace{};
  int most = 0;  // removals in one sweep
};

// Of all that a cloud lists, what may be nobody's. A list or a cache that is not complete yields
// nothing.
Sweep PlanSweep(std::span<const FoundInstance> listed, std::span<const MachineRecord> machines,
                bool complete, const SweepPolicy& policy, WallTime now);

// Several instances of one machine that has recorded none: the oldest stays, the ids of the others
// go.
std::vector<std::string> SurplusInstances(std::span<const FoundInstance> same_machine);

enum class NodeVerdict { kLeave, kDisown, kOwn };

struct NodeFacts {
  int machines = 0;       // that name this node
  bool disowned = false;  // marked as none of ours
  WallTime created{};
};

// Nodes are never removed for that; they are only marked, so that nobody waits for us.
NodeVerdict JudgeNode(const NodeFacts& node, Duration join_limit, WallTime now);

}  // namespace millwright::core
