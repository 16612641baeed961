#include "cli/machine_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace millwright::cli {

namespace {

struct Spelling {
  std::string_view text;
  MachineKind kind;
};

constexpr Spelling kSpellings[] = {
    {"machine", MachineKind::kMachine},
    {"mc", MachineKind::kMachine},
    {"ma", MachineKind::kMachine},
    {"set", MachineKind::kSet},
    {"machineset", MachineKind::kSet},
    {"mcs", MachineKind::kSet},
    {"ms", MachineKind::kSet},
    {"deployment", MachineKind::kDeployment},
    {"machinedeployment", MachineKind::kDeployment},
    {"mcd", MachineKind::kDeployment},
    {"md", MachineKind::kDeployment},
    {"class", MachineKind::kClass},
    {"classe", MachineKind::kClass},  // of "classes"
    {"machineclass", MachineKind::kClass},
    {"machineclasse", MachineKind::kClass},
    {"mcc", MachineKind::kClass},
    {"cluster", MachineKind::kCluster},
    {"cl", MachineKind::kCluster},
};

}  // namespace

Result<MachineKind> ParseMachineKind(std::string_view text) {
  std::string word(text);
  std::ranges::transform(word, word.begin(), [](unsigned char c) { return std::tolower(c); });
  const auto find = [&] { return std::ranges::find(kSpellings, word, &Spelling::text); };
  auto found = find();
  if (found == std::end(kSpellings) && word.ends_with('s')) {
    word.pop_back();
    found = find();
  }
  if (found != std::end(kSpellings)) return found->kind;
  return Fail(
      ErrorKind::kInvalid,
      fmt::format("no kind '{}': there are machines, sets, deployments, classes and clusters",
                  text));
}

const dialects::Kind& KindOf(const ShownKinds& kinds, MachineKind kind) {
  switch (kind) {
    case MachineKind::kMachine: return kinds.machines.machine;
    case MachineKind::kSet: return kinds.machines.set;
    case MachineKind::kDeployment: return kinds.machines.deployment;
    case MachineKind::kClass: return kinds.machines.machine_class;
    case MachineKind::kCluster: return kinds.cluster;
  }
  return kinds.machines.machine;
}

}  // namespace millwright::cli
