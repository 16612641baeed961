// A whole manager (lease, status pages, one controller) with a cache of Nodes, to be measured from
// outside: node_cache KUBECONFIG [--no-lease]. For each line it reads it prints one with how far it
// is; it ends with its input. Without a lease it does not stop when the server is away for long.
#include <malloc.h>
#include <unistd.h>

#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/read_until.hpp>

#include <cstdio>

#include "base/metrics.h"
#include "benchmarks/node_view.h"
#include "benchmarks/run.h"
#include "kube/connect/connection.h"
#include "kube/runtime/controller.h"
#include "kube/runtime/manager.h"

namespace millwright::benchmarks {
namespace {

namespace asio = boost::asio;

Task<Result<kube::Requeue>> Nothing(kube::ObjectKey) { co_return kube::Requeue::WhenChanged(); }

void Print(const kube::Informer<NodeView>& nodes) {
  std::uint64_t newest = 0;
  for (const NodeView& node : nodes.store().objects()) {
    newest = std::max<std::uint64_t>(
        newest, std::strtoull(node.meta.resource_version.str().c_str(), nullptr, 10));
  }
  const kube::ReflectorStats& stats = nodes.stats();
  std::printf(R"({"synced":%s,"objects":%zu,"events":%lu,"lists":%lu,"newest":%lu,"heap":%zu})"
              "\n",
              nodes.synced() ? "true" : "false", nodes.store().size(), stats.events, stats.lists,
              newest, mallinfo2().uordblks + mallinfo2().hblkhd);
  std::fflush(stdout);
}

Task<void> AnswerQuestions(const kube::Informer<NodeView>& nodes) {
  asio::posix::stream_descriptor input(co_await asio::this_coro::executor, dup(STDIN_FILENO));
  std::string text;
  while (true) {
    boost::system::error_code error;
    const std::size_t size = co_await asio::async_read_until(
        input, asio::dynamic_buffer(text), '\n', asio::redirect_error(asio::use_awaitable, error));
    if (error) co_return;
    text.erase(0, size);
    Print(nodes);
  }
}

Task<void> RunManager(kube::Manager& manager) { co_await manager.Run(); }

Task<Result<void>> Main(Process process, std::string kubeconfig, bool lease) {
  CO_TRY(auto config, kube::LoadClientConfig({.kubeconfig = std::move(kubeconfig)},
                                             kube::SurroundingsOfThisProcess()));
  CO_TRY(const auto connection,
         co_await kube::Connection::Open(process.executor, process.clock, std::move(config)));
  kube::Client& client = connection->client();
  kube::Informer<NodeView> nodes(process.executor, client, process.clock, process.random,
                                 process.log.For("nodes"), {.resource = kNodes}, NodeDecoder());
  kube::Controller controller(process.executor, process.clock, process.log.For("nothing"),
                              {.name = "nothing"}, Nothing);
  nodes.OnChange([&](const NodeView* before, const NodeView* after) {
    controller.queue().Add((after != nullptr ? after : before)->meta.key);
  });
  Metrics metrics;
  kube::ManagerOptions options{.status_server = net::ServerOptions{}};
  if (lease) {
    options.leases = {{.lease = {"default", "node-cache"}, .identity = "node-cache", .timing = {}}};
  }
  kube::Manager manager(process.executor, process.clock, process.random, client, metrics,
                        process.log.For("manager"), std::move(options));
  manager.Add("nodes", [&] { return nodes.Run(); });
  manager.AddForLeader("nothing", [&] { return controller.Run(); });
  TaskGroup running(process.executor);
  running.Spawn([&] { return RunManager(manager); });
  co_await AnswerQuestions(nodes);
  running.Cancel();
  co_await running.Join();
  co_return Ok();
}

}  // namespace
}  // namespace millwright::benchmarks

int main(int argc, char** argv) {
  using namespace millwright;
  if (argc < 2) return 2;
  return benchmarks::RunProcess([&](benchmarks::Process process) {
    return benchmarks::Main(std::move(process), argv[1], argc == 2);
  });
}
