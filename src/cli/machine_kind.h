// The kinds of every dialect, as people type them.
#pragma once

#include <string_view>

#include "base/result.h"
#include "dialects/dialect.h"

namespace millwright::cli {

enum class MachineKind { kMachine, kSet, kDeployment, kClass, kCluster };

// "machine", "machines", "set", "MachineSets", "md": short, whole, one or many. kInvalid, naming
// those there are.
Result<MachineKind> ParseMachineKind(std::string_view text);

// What a dialect's objects are called. Those that it does not have are empty.
struct ShownKinds {
  dialects::Kinds machines;
  dialects::Kind cluster;
};

const dialects::Kind& KindOf(const ShownKinds& kinds, MachineKind kind);

}  // namespace millwright::cli
