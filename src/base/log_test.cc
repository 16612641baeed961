#include "base/log.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <string>

#include "base/clock.h"
#include "base/log_capture.h"

namespace millwright {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::EndsWith;
using testing::IsEmpty;

class StoppedClock final : public Clock {
 public:
  WallTime Now() const override { return WallTime(1767225600s); }
  SteadyTime Elapsed() const override { return {}; }
  TimerId Arm(SteadyTime, WaitTable&, WaitId) override { return 0; }
  void Disarm(TimerId) override {}
};

class LogTest : public testing::Test {
 protected:
  StoppedClock clock_;
  CapturingSink sink_;
  Log log_{sink_, clock_};
};

TEST_F(LogTest, WritesWhatItIsTold) {
  log_.For("kube.leader").Info("lease acquired", {{"lease", "manager"}, {"attempt", 3}});
  EXPECT_THAT(sink_.lines(),
              ElementsAre("2026-01-01T00:00:00.000000Z INFO  kube.leader          "
                          "lease acquired                       lease=manager attempt=3\n"));
}

TEST_F(LogTest, MadeByDefaultDiscards) {
  const Logger logger;
  logger.Error("nobody hears this", {{"a", 1}});
  logger.With({{"b", 2}}).Error("nor this");
  EXPECT_FALSE(logger.IsEnabled(LogLevel::kError));
}

TEST_F(LogTest, LeavesOutWhatIsBelowTheLevel) {
  const Logger logger = log_.For("net");
  logger.Debug("no");
  logger.Info("yes");
  EXPECT_EQ(sink_.Count("no"), 0U);
  EXPECT_EQ(sink_.Count("yes"), 1U);
}

TEST_F(LogTest, LevelsChangeForLoggersThatExist) {
  const Logger informer = log_.For("kube.informer");
  const Logger bound = informer.With({{"kind", "Node"}});
  const Logger net = log_.For("net");
  log_.SetLevels(ParseLevels("error,kube=debug").value());
  EXPECT_TRUE(informer.IsEnabled(LogLevel::kDebug));
  EXPECT_TRUE(bound.IsEnabled(LogLevel::kDebug));
  EXPECT_FALSE(net.IsEnabled(LogLevel::kWarning));
  EXPECT_TRUE(log_.For("kube.client").IsEnabled(LogLevel::kDebug));
}

TEST_F(LogTest, BoundFieldsComeFirstAndAreCopied) {
  Logger logger;
  {
    const std::string name = "a name that is too long for the short form";
    logger = log_.For("m").With({{"name", name}}).With({{"n", 1}});
  }
  logger.Info("x", {{"z", 2}});
  EXPECT_THAT(
      sink_.lines(),
      ElementsAre(EndsWith(" name=\"a name that is too long for the short form\" n=1 z=2\n")));
}

TEST_F(LogTest, ALaterFieldReplacesAnEarlierOne) {
  const Logger logger = log_.For("m").With({{"a", 1}, {"b", 1}}).With({{"a", 2}});
  logger.Info("x");
  logger.Info("x", {{"b", 3}});
  EXPECT_THAT(sink_.lines(), ElementsAre(EndsWith(" b=1 a=2\n"), EndsWith(" a=2 b=3\n")));
}

TEST_F(LogTest, DescriptorGetsWholeLines) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  DescriptorSink sink(ends[1], LogFormat::kJson, false);
  Log log(sink, clock_);
  log.For("m").Info("x");
  std::array<char, 256> buffer{};
  const ssize_t size = read(ends[0], buffer.data(), buffer.size());
  EXPECT_EQ(std::string(buffer.data(), static_cast<std::size_t>(size)),
            R"({"time":"2026-01-01T00:00:00.000000Z","level":"info","module":"m","msg":"x"})"
            "\n");
  close(ends[0]);
  close(ends[1]);
}

TEST_F(LogTest, DescriptorThatCannotBeWrittenIsNoFailure) {
  DescriptorSink sink(-1, LogFormat::kText, false);
  Log log(sink, clock_);
  log.For("m").Info("x");
}

TEST(WantsColourTest, OnlyATerminalGetsColours) {
  const int file = open("/dev/null", O_WRONLY | O_CLOEXEC);
  EXPECT_FALSE(WantsColour(file, nullptr));
  close(file);
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0) GTEST_SKIP() << "no pseudo terminal here";
  EXPECT_TRUE(WantsColour(terminal, nullptr));
  EXPECT_TRUE(WantsColour(terminal, ""));
  EXPECT_FALSE(WantsColour(terminal, "1"));
  close(terminal);
}

}  // namespace
}  // namespace millwright
