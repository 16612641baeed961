// The flags of upstream's two programs as a table.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dialects/flag_table.h"

namespace millwright::dialects::gardener {

// As which of upstream's programs we run.
enum class Program {
  kBoth,      // all loops in one process
  kSets,      // machine-controller-manager: deployments, sets
  kMachines,  // machine-controller: machines, classes, secrets
};

struct FlagRow {
  std::string_view name;
  FlagType type = FlagType::kText;
  std::string_view sets;      // machine-controller-manager's default
  std::string_view machines;  // machine-controller's
  std::string_view meaning;
  Program of = Program::kBoth;  // who has it
  bool ignored = false;
};

std::span<const FlagRow> FlagRows();

// The table of one program. One that does all has the flags of both; where their defaults differ,
// it listens where the first does and works as much at once as the second.
std::vector<Flag> FlagsOf(Program program);

// What a program that was started under that name is; none: nothing of ours to say.
std::optional<Program> ProgramNamed(std::string_view name);

// The leases that a process has to hold, in the order in which it takes them.
std::vector<std::string> LeasesOf(Program program);

}  // namespace millwright::dialects::gardener
