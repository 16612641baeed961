#include "benchmarks/run.h"

#include <unistd.h>

#include <boost/asio/io_context.hpp>

#include <csignal>
#include <cstdio>
#include <optional>

#include "base/log_sink.h"
#include "base/system_clock.h"
#include "base/task_group.h"

namespace millwright::benchmarks {

namespace {

Task<void> Note(const std::function<Task<Result<void>>(Process)>& main, Process process,
                std::optional<Result<void>>& outcome) {
  outcome = co_await main(std::move(process));
}

}  // namespace

int RunProcess(const std::function<Task<Result<void>>(Process)>& main) {
  std::signal(SIGPIPE, SIG_IGN);
  boost::asio::io_context loop(1);
  SystemClock clock(loop.get_executor());
  SystemRandom random;
  DescriptorSink sink(STDERR_FILENO, LogFormat::kText, false);
  Log log(sink, clock, *ParseLevels("error"));
  std::optional<Result<void>> outcome;
  TaskGroup tasks(loop.get_executor());
  tasks.Spawn(
      [&] { return Note(main, Process{loop.get_executor(), clock, random, log}, outcome); });
  while (tasks.size() > 0 && loop.run_one() > 0) {
  }
  if (outcome && *outcome) return 0;
  std::fprintf(stderr, "failed: %s\n", outcome ? outcome->error().message().c_str() : "no outcome");
  return 1;
}

}  // namespace millwright::benchmarks
