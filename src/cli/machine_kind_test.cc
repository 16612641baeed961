#include "cli/machine_kind.h"

#include <gtest/gtest.h>

namespace millwright::cli {
namespace {

TEST(ParseMachineKind, TakesWhatPeopleType) {
  struct Case {
    std::string_view text;
    std::optional<MachineKind> kind;
  };
  const Case cases[] = {
      {"machine", MachineKind::kMachine},
      {"machines", MachineKind::kMachine},
      {"sets", MachineKind::kSet},
      {"MachineSet", MachineKind::kSet},
      {"mcs", MachineKind::kSet},
      {"md", MachineKind::kDeployment},
      {"deployments", MachineKind::kDeployment},
      {"classes", MachineKind::kClass},
      {"machineclass", MachineKind::kClass},
      {"pods", std::nullopt},
      {"", std::nullopt},
      {"s", std::nullopt},
  };
  for (const Case& c : cases) {
    const auto kind = ParseMachineKind(c.text);
    EXPECT_EQ(kind ? std::optional(*kind) : std::nullopt, c.kind) << c.text;
  }
}

}  // namespace
}  // namespace millwright::cli
