#include "cli/process.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>

#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "base/log_sink.h"
#include "base/system_clock.h"
#include "base/task_group.h"

namespace millwright::cli {

namespace asio = boost::asio;

namespace {

Task<void> RunMain(const std::function<Task<ExitCode>(Process)>& main, Process process,
                   ExitCode& code, asio::signal_set& signals) {
  code = co_await main(std::move(process));
  signals.cancel();
}

[[noreturn]] void EndAtOnce(const char* why) {
  std::fprintf(stderr, "millwright: %s\n", why);
  std::_Exit(static_cast<int>(ExitCode::kInterruptedHard));
}

Task<void> EndAfter(Clock& clock, Duration stop_time) {
  if (co_await SleepFor(clock, stop_time) == Wake::kTimeout) {
    EndAtOnce("something did not stop in time, ending");
  }
}

}  // namespace

ExitCode RunProcess(const ProcessOptions& options,
                    const std::function<Task<ExitCode>(Process)>& main) {
  std::signal(SIGPIPE, SIG_IGN);
  asio::io_context loop(1);
  SystemClock clock(loop.get_executor());
  SystemRandom random;
  DescriptorSink sink(STDERR_FILENO, options.log_json ? LogFormat::kJson : LogFormat::kText,
                      WantsColour(STDERR_FILENO, std::getenv("NO_COLOR")));
  Log log(sink, clock, options.log_levels);
  ExitCode code = ExitCode::kFailed;

  TaskGroup tasks(loop.get_executor());
  TaskGroup watchdog(loop.get_executor());
  asio::signal_set signals(loop, SIGINT, SIGTERM);
  bool stopping = false;
  std::function<void(boost::system::error_code, int)> on_signal =
      [&](boost::system::error_code error, int) {
        if (error) return;
        if (std::exchange(stopping, true)) EndAtOnce("asked to stop twice, ending at once");
        tasks.Cancel();
        watchdog.Spawn([&] { return EndAfter(clock, options.stop_time); });
        signals.async_wait(on_signal);
      };
  signals.async_wait(on_signal);
  tasks.Spawn([&] {
    return RunMain(main, Process{loop.get_executor(), clock, random, log}, code, signals);
  });
  while (tasks.size() > 0 && loop.run_one() > 0) {
  }
  watchdog.Cancel();
  loop.run();
  return code;
}

}  // namespace millwright::cli
