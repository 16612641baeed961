// Writes to a store until it is killed, and says on stdout what has been acknowledged and seen:
//
//   open REVISION
//   ack REVISION KIND KEY        a write was answered
//   seen REVISION KIND KEY       a watch from revision AFTER on told of it
//
// crash_writer FILE SEED AFTER
#include <fmt/format.h>
#include <unistd.h>
#include <boost/asio/io_context.hpp>

#include <cstdio>
#include <cstdlib>

#include "apiserver/store/crash_writer/crash_text.h"
#include "apiserver/store/sqlite_disk.h"
#include "apiserver/store/store.h"
#include "base/system_clock.h"

namespace millwright::apiserver {
namespace {

constexpr int kWriters = 64;
constexpr std::uint64_t kKeys = 200;

// At once: what is still in a buffer when we are killed was not said.
void Say(const std::string& line) {
  if (write(STDOUT_FILENO, line.data(), line.size()) < 0) std::_Exit(3);
}

void Say(const char* what, const Change& change) {
  Say(fmt::format("{} {} {} {}\n", what, change.revision(), static_cast<int>(change.kind()),
                  change.key()));
}

Task<Result<Change>> WriteSomething(Store& store, Random& random) {
  const std::string key = fmt::format("/registry/things/{}", random.Below(kKeys));
  const auto build = [key](Revision revision) { return CrashText(key, revision); };
  const RecordPtr current = store.Get(key);
  if (!current) return store.Create(key, build);
  if (random.Below(10) == 0) return store.Delete(key, current->mod_revision);
  return store.Update(key, current->mod_revision, build);
}

Task<void> Write(Store& store, Random& random) {
  while (true) {
    const auto written = co_await WriteSomething(store, random);
    if (written) Say("ack", *written);
  }
}

Task<void> Observe(Watcher watcher) {
  while (true) {
    const auto change = co_await watcher.Next();
    if (!change) {
      Say("lost " + change.error().message() + "\n");
      co_return;
    }
    Say("seen", *change);
  }
}

int Run(const std::string& file, std::uint64_t seed, Revision after) {
  boost::asio::io_context loop(1);
  SystemClock clock(loop.get_executor());
  SeededRandom random(seed);
  auto disk = SqliteDisk::Open({.file = file}, random);
  if (!disk) {
    fmt::print(stderr, "{}\n", disk.error().message());
    return 1;
  }
  // A short history, so that trimming is under way at every moment too.
  auto store = Store::Open(loop.get_executor(), clock, **disk, {.max_changes = 1000});
  if (!store) {
    fmt::print(stderr, "{}\n", store.error().message());
    return 1;
  }
  Say(fmt::format("open {}\n", (*store)->revision()));
  auto watcher = (*store)->Watch("/registry/", after);
  if (!watcher) {
    fmt::print(stderr, "{}\n", watcher.error().message());
    return 1;
  }
  TaskGroup tasks(loop.get_executor());
  tasks.Spawn([&] { return Observe(*watcher); });
  for (int i = 0; i < kWriters; ++i) {
    tasks.Spawn([&] { return Write(**store, random); });
  }
  loop.run();
  return 0;
}

}  // namespace
}  // namespace millwright::apiserver

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  return millwright::apiserver::Run(argv[1], std::strtoull(argv[2], nullptr, 10),
                                    std::strtoll(argv[3], nullptr, 10));
}
