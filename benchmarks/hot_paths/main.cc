// hot_paths_bench                   times of all, by Google Benchmark
// hot_paths_bench --names           their names
// hot_paths_bench --do NAME TIMES   that work so many times, for callgrind
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <span>
#include <string_view>

#include "benchmarks/hot_paths/hot_path.h"

namespace millwright::benchmarks {

void Broken(const std::string& what) {
  fmt::print(stderr, "hot_paths_bench: {}\n", what);
  std::exit(1);
}

namespace {

std::vector<HotPath> All() {
  return {NodeReport(), GardenerMachineEvent(), CapiMachineEvent(), QueueRound(), ReplicaPlan(),
          SetCount(),   StatusPatch(),          NewMachineBody(),   StoreWrite()};
}

int Names() {
  for (const HotPath& path : All()) fmt::print("{}\n", path.name);
  return 0;
}

int Do(std::string_view name, int times) {
  for (const HotPath& path : All()) {
    if (path.name != name) continue;
    const auto work = path.prepare();
    for (int i = 0; i < times; ++i) work();
    return 0;
  }
  Broken(fmt::format("there is no {}", name));
}

int Time(int argc, char** argv) {
  for (const HotPath& path : All()) {
    benchmark::RegisterBenchmark(path.name.c_str(),
                                 [prepare = path.prepare](benchmark::State& state) {
                                   const auto work = prepare();
                                   for (auto _ : state) work();
                                 });
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

}  // namespace
}  // namespace millwright::benchmarks

int main(int argc, char** argv) {
  using namespace millwright::benchmarks;
  const std::span<char*> words(argv, static_cast<std::size_t>(argc));
  if (words.size() == 2 && std::string_view(words[1]) == "--names") return Names();
  if (words.size() == 4 && std::string_view(words[1]) == "--do") {
    return Do(words[2], std::atoi(words[3]));
  }
  return Time(argc, argv);
}
