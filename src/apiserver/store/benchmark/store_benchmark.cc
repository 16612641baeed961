// What a write, an object, a start and a watcher of the store cost.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>
#include <boost/asio/io_context.hpp>

#include <filesystem>
#include <memory>
#include <string>

#include "apiserver/store/memory_disk.h"
#include "apiserver/store/sqlite_disk.h"
#include "apiserver/store/store.h"
#include "base/system_clock.h"

namespace millwright::apiserver {
namespace {

constexpr std::size_t kMachineBytes = 2500;
constexpr std::size_t kNodeBytes = 5000;

// A directory of its own, on a real disk: /tmp may be memory, where fsync costs nothing.
class Directory {
 public:
  Directory() : path_(std::filesystem::current_path() / fmt::format("store-bench-{}", getpid())) {
    std::filesystem::create_directories(path_);
  }
  ~Directory() { std::filesystem::remove_all(path_); }
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;

  std::string File(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

// A store with its loop, on a file or in memory.
struct Server {
  explicit Server(const std::string& file = {}) {
    if (file.empty()) {
      disk = std::make_unique<MemoryDisk>("bench");
    } else {
      disk = SqliteDisk::Open({.file = file}, random).value();
    }
    store = Store::Open(loop.get_executor(), clock, *disk).value();
  }
  ~Server() {
    tasks.Spawn([this] { return store->Close(); });
    Run();
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  void Run() {
    loop.run();
    loop.restart();
  }

  boost::asio::io_context loop{1};
  SystemClock clock{loop.get_executor()};
  SystemRandom random;
  std::unique_ptr<Disk> disk;
  std::unique_ptr<Store> store;
  TaskGroup tasks{loop.get_executor()};
};

std::string MachineKey(int i) {
  return fmt::format(
      "/registry/machine.sapcloud.io/machines/shoot--project--cluster/worker-{:05}-abcde", i);
}

std::string NodeKey(int i) { return fmt::format("/registry/core/nodes/worker-{:05}-abcde", i); }

Task<void> Fill(Store& store, int count) {
  for (int i = 0; i < count; ++i) {
    (void)co_await store.Create(MachineKey(i), Fixed(std::string(kMachineBytes, 'm')));
    (void)co_await store.Create(NodeKey(i), Fixed(std::string(kNodeBytes, 'n')));
  }
}

Task<void> UpdateOften(Store& store, std::string key, int times) {
  if (!store.Get(key)) (void)co_await store.Create(key, Fixed("new"));
  for (int i = 0; i < times; ++i) {
    (void)co_await store.Update(key, std::nullopt, Fixed(std::string(kMachineBytes, 'x')));
  }
}

void Writes(benchmark::State& state, bool durable) {
  const Directory directory;
  Server server(durable ? directory.File("store.db") : "");
  const int writers = static_cast<int>(state.range(0));
  constexpr int kTimes = 50;
  for (auto _ : state) {
    for (int i = 0; i < writers; ++i) {
      server.tasks.Spawn([&, i] { return UpdateOften(*server.store, MachineKey(i), kTimes); });
    }
    server.Run();
  }
  state.SetItemsProcessed(state.iterations() * writers * kTimes);
  state.counters["commits/s"] = benchmark::Counter(
      static_cast<double>(server.store->stats().commits), benchmark::Counter::kIsRate);
  if (durable) {
    state.counters["file_MB"] =
        static_cast<double>(std::filesystem::file_size(directory.File("store.db"))) / 1e6;
  }
}
void DurableWrites(benchmark::State& state) { Writes(state, true); }
void MemoryWrites(benchmark::State& state) { Writes(state, false); }
BENCHMARK(DurableWrites)->Arg(1)->Arg(64)->Arg(512)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(MemoryWrites)->Arg(1)->Arg(64)->UseRealTime()->Unit(benchmark::kMillisecond);

// Opens a file with that many Machines and Nodes; the counters say what they cost in memory.
void Start(benchmark::State& state) {
  const int count = static_cast<int>(state.range(0));
  const Directory directory;
  const std::string file = directory.File("store.db");
  {
    Server server(file);
    for (int i = 0; i < 64; ++i) {
      server.tasks.Spawn([&, i]() -> Task<void> {
        return [](Store& store, int from, int to) -> Task<void> {
          for (int n = from; n < to; ++n) {
            (void)co_await store.Create(MachineKey(n), Fixed(std::string(kMachineBytes, 'm')));
            (void)co_await store.Create(NodeKey(n), Fixed(std::string(kNodeBytes, 'n')));
          }
        }(*server.store, count * i / 64, count * (i + 1) / 64);
      });
    }
    server.Run();
  }
  double overhead = 0;
  for (auto _ : state) {
    const auto before = mallinfo2().uordblks;
    const Server server(file);
    benchmark::DoNotOptimize(server.store->revision());
    state.PauseTiming();
    const auto grown = static_cast<double>(mallinfo2().uordblks - before);
    overhead = (grown - static_cast<double>(count) * (kMachineBytes + kNodeBytes)) / (2.0 * count);
    state.ResumeTiming();
  }
  if (count > 0) state.counters["overhead_B"] = overhead;
  state.counters["file_MB"] = static_cast<double>(std::filesystem::file_size(file)) / 1e6;
}
BENCHMARK(Start)->Arg(0)->Arg(5000)->Arg(10000)->UseRealTime()->Unit(benchmark::kMillisecond);

Task<void> Follow(Watcher watcher, int count) {
  for (int i = 0; i < count; ++i) (void)co_await watcher.Next();
}

// One write in memory that so many watchers see.
void FanOut(benchmark::State& state) {
  Server server;
  const int watchers = static_cast<int>(state.range(0));
  constexpr int kTimes = 20;
  server.tasks.Spawn([&] { return UpdateOften(*server.store, MachineKey(0), 0); });
  server.Run();
  for (auto _ : state) {
    for (int i = 0; i < watchers; ++i) {
      server.tasks.Spawn([&] {
        return Follow(
            server.store->Watch("/registry/machine.sapcloud.io/machines/", server.store->revision())
                .value(),
            kTimes);
      });
    }
    server.tasks.Spawn([&] { return UpdateOften(*server.store, MachineKey(0), kTimes); });
    server.Run();
  }
  state.SetItemsProcessed(state.iterations() * watchers * kTimes);
}
BENCHMARK(FanOut)->Arg(100)->Arg(5000)->UseRealTime()->Unit(benchmark::kMillisecond);

void List(benchmark::State& state) {
  Server server;
  server.tasks.Spawn([&] { return Fill(*server.store, 10000); });
  server.Run();
  const Revision past = server.store->revision();
  server.tasks.Spawn([&] { return UpdateOften(*server.store, MachineKey(7), 10000); });
  server.Run();
  const ListQuery query{.scope = "/registry/machine.sapcloud.io/machines/",
                        .revision = state.range(0) == 0 ? 0 : past};
  for (auto _ : state) benchmark::DoNotOptimize(server.store->List(query)->records.size());
}
BENCHMARK(List)->Arg(0)->Arg(1)->ArgName("past")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace millwright::apiserver
