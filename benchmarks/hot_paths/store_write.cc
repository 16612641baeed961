// One object of the embedded server replaced by another, in memory.
#include <fmt/format.h>

#include <memory>

#include "apiserver/store/memory_disk.h"
#include "apiserver/store/store.h"
#include "base/virtual/world.h"
#include "benchmarks/hot_paths/hot_path.h"
#include "benchmarks/hot_paths/samples.h"

namespace millwright::benchmarks {

namespace {

std::string KeyOf(int number) {
  return fmt::format("/registry/machine.sapcloud.io/machines/shoot/pool-a-{:06}", number);
}

struct Server {
  VirtualWorld world;
  VirtualProcess process{world};
  VirtualClock clock{process};
  apiserver::MemoryDisk disk{"bench"};
  std::unique_ptr<apiserver::Store> store =
      apiserver::Store::Open(process.executor(), clock, disk).value();
  int next = 0;

  ~Server() { RunTask(process, Closed()); }

  Task<bool> Closed() {
    co_await store->Close();
    co_return true;
  }
};

}  // namespace

HotPath StoreWrite() {
  return {"store_write", [] {
            auto server = std::make_shared<Server>();
            for (int i = 0; i < kMany; ++i) {
              RunTask(server->process,
                      server->store->Create(KeyOf(i),
                                            apiserver::Fixed(SampleGardenerMachine(i, false))));
            }
            return [server, text = SampleGardenerMachine(7, true)] {
              const auto written = RunTask(
                  server->process,
                  server->store->Update(KeyOf(server->next++ % kMany), {}, apiserver::Fixed(text)));
              if (!written || !*written) Broken("the write was refused");
            };
          }};
}

}  // namespace millwright::benchmarks
