#include "cli/process.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <array>
#include <csignal>

#include "base/task_group.h"

namespace millwright::cli {
namespace {

using namespace std::chrono_literals;

Task<ExitCode> Return(Process, ExitCode code) { co_return code; }

TEST(RunProcessTest, ReturnsWhatTheTaskDoes) {
  EXPECT_EQ(RunProcess({}, [](Process p) { return Return(p, ExitCode::kForbidden); }),
            ExitCode::kForbidden);
}

Task<ExitCode> StopOnSignal(Process, int signal) {
  std::raise(signal);
  co_await UntilCancelled();
  co_return ExitCode::kOk;
}

TEST(RunProcessTest, ASignalCancelsTheTask) {
  for (const int signal : {SIGINT, SIGTERM}) {
    EXPECT_EQ(RunProcess({}, [&](Process p) { return StopOnSignal(p, signal); }), ExitCode::kOk);
  }
}

Task<ExitCode> CleanUpOnSignal(Process process) {
  std::raise(SIGTERM);
  co_await UntilCancelled();
  co_await IgnoreCancellation();
  const Wake why = co_await SleepFor(process.clock, 1ms);
  co_return why == Wake::kTimeout ? ExitCode::kOk : ExitCode::kFailed;
}

TEST(RunProcessTest, CleanUpMayTakeItsTime) {
  EXPECT_EQ(RunProcess({.stop_time = 1h}, CleanUpOnSignal), ExitCode::kOk);
}

Task<ExitCode> WriteToNobody(Process) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) co_return ExitCode::kFailed;
  close(ends[0]);
  const bool refused = write(ends[1], "x", 1) == -1;
  close(ends[1]);
  co_return refused ? ExitCode::kOk : ExitCode::kFailed;
}

TEST(RunProcessTest, AReaderThatGoesAwayDoesNotKillUs) {
  EXPECT_EQ(RunProcess({}, WriteToNobody), ExitCode::kOk);
}

Task<ExitCode> NeverStop(Process process, int signals) {
  for (int i = 0; i < signals; ++i) std::raise(SIGTERM);
  co_await UntilCancelled();
  co_await IgnoreCancellation();
  co_await SleepFor(process.clock, 24h);
  co_return ExitCode::kOk;
}

TEST(RunProcessDeathTest, ASecondSignalEndsItAtOnce) {
  EXPECT_EXIT(RunProcess({}, [](Process p) { return NeverStop(p, 2); }),
              testing::ExitedWithCode(static_cast<int>(ExitCode::kInterruptedHard)),
              "asked to stop twice");
}

TEST(RunProcessDeathTest, WhatDoesNotStopInTimeIsEnded) {
  EXPECT_EXIT(RunProcess({.stop_time = 1ms}, [](Process p) { return NeverStop(p, 1); }),
              testing::ExitedWithCode(static_cast<int>(ExitCode::kInterruptedHard)),
              "did not stop in time");
}

}  // namespace
}  // namespace millwright::cli
