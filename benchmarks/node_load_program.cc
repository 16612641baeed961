// Makes Nodes, and then changes of them, at a real server, many requests at once:
//   node_load KUBECONFIG create COUNT
//   node_load KUBECONFIG heartbeat NODES COUNT
//   node_load KUBECONFIG measure COUNT       prints the mean size of a Node as it is served
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <span>

#include "base/task_group.h"
#include "benchmarks/node_view.h"
#include "benchmarks/run.h"
#include "benchmarks/sample_node.h"
#include "kube/connect/connection.h"

namespace millwright::benchmarks {
namespace {

using One = std::function<Task<Result<void>>(int number)>;

constexpr int kAtOnce = 64;
// Changes come evenly: the server cuts off watchers that a burst overtakes.
constexpr int kBeatsAtOnce = 4;

Task<void> Worker(const One& one, int& next, int count, std::optional<Error>& failure) {
  while (next < count && !failure) {
    const auto done = co_await one(next++);
    if (!done) failure = done.error();
  }
}

Task<Result<void>> Many(int count, int at_once, const One& one) {
  int next = 0;
  std::optional<Error> failure;
  TaskGroup workers(co_await boost::asio::this_coro::executor);
  for (int i = 0; i < at_once; ++i) {
    workers.Spawn([&] { return Worker(one, next, count, failure); });
  }
  co_await workers.Join();
  if (failure) co_return Failure(*failure);
  co_return Ok();
}

Task<Result<void>> CreateOne(kube::Client& client, int number) {
  CO_CHECK(co_await client.Create(kNodes, {"", NodeName(number)}, SampleNode(number)));
  co_return Ok();
}

// A change of nothing that a projection keeps, as nearly all changes of Nodes are.
Task<Result<void>> BeatOne(kube::Client& client, WallTime began, int nodes, int number) {
  std::string patch = fmt::format(R"({{"metadata":{{"annotations":{{"beat":"{} {}"}}}}}})",
                                  began.time_since_epoch().count(), number);
  CO_CHECK(co_await client.Patch(kNodes, {"", NodeName(number % nodes)}, kube::PatchKind::kMerge,
                                 std::move(patch)));
  co_return Ok();
}

Task<Result<void>> Measure(kube::Client& client, int count, std::size_t& size, int number) {
  CO_TRY(const kube::Document node, co_await client.Get(kNodes, {"", NodeName(number)}));
  size += node.text().size() / static_cast<std::size_t>(count);
  co_return Ok();
}

Task<Result<void>> Do(Process process, std::span<char*> arguments) {
  CO_TRY(auto config,
         kube::LoadClientConfig({.kubeconfig = arguments[1]}, kube::SurroundingsOfThisProcess()));
  CO_TRY(const auto connection,
         co_await kube::Connection::Open(process.executor, process.clock, std::move(config)));
  kube::Client& client = connection->client();
  const std::string_view what = arguments[2];
  const int count = std::atoi(arguments.back());
  if (what == "create") {
    co_return co_await Many(count, kAtOnce, [&](int number) { return CreateOne(client, number); });
  }
  if (what == "heartbeat") {
    const int nodes = std::atoi(arguments[3]);
    const WallTime began = process.clock.Now();
    co_return co_await Many(count, kBeatsAtOnce,
                            [&](int number) { return BeatOne(client, began, nodes, number); });
  }
  std::size_t size = 0;
  CO_CHECK(co_await Many(count, kAtOnce,
                         [&](int number) { return Measure(client, count, size, number); }));
  std::printf("%zu\n", size);
  co_return Ok();
}

}  // namespace
}  // namespace millwright::benchmarks

int main(int argc, char** argv) {
  using namespace millwright;
  const std::span<char*> arguments(argv, static_cast<std::size_t>(argc));
  if (arguments.size() < 4) return 2;
  return benchmarks::RunProcess(
      [&](benchmarks::Process process) { return benchmarks::Do(std::move(process), arguments); });
}
