#include "cli/machine_lines.h"

#include <gtest/gtest.h>

namespace millwright::cli {
namespace {

dialects::MachineRecord In(core::Phase phase, std::string failure = {}) {
  dialects::MachineRecord machine;
  machine.meta.key.name = "m-1";
  machine.core.phase = phase;
  machine.operation.description = failure;
  if (!failure.empty()) machine.operation.state = dialects::OperationState::kFailed;
  return machine;
}

TEST(MachineLine, TellsPhasesAndFailuresOnceEach) {
  const auto joining = In(core::Phase::kJoining);
  const auto running = In(core::Phase::kRunning);
  const auto failing = In(core::Phase::kCreateFailing, "no room");
  EXPECT_EQ(MachineLine(&joining, &running), "m-1                      running");
  EXPECT_EQ(MachineLine(&running, &running), "");
  EXPECT_EQ(MachineLine(&running, nullptr), "m-1                      gone");
  EXPECT_EQ(MachineLine(nullptr, &failing), "m-1                      cannot be made yet: no room");
  EXPECT_EQ(MachineLine(&failing, &failing), "");
}

}  // namespace
}  // namespace millwright::cli
