// The kinds of every dialect, as people type them.
#pragma once

#include <string_view>

#include "base/result.h"
#include "dialects/dialect.h"

namespace millwright::cli {

enum class MachineKind { kMachine, kSet, kDeployment, kClass };

// "machine", "machines", "set", "MachineSets", "md": short, whole, one or many. kInvalid, naming
// those there are.
Result<MachineKind> ParseMachineKind(std::string_view text);

const dialects::Kind& KindOf(const dialects::Kinds& kinds, MachineKind kind);

}  // namespace millwright::cli
