// What machines with their nodes cost in memory: fleet_memory [COUNT...]. A process for each count
// fills the caches of the controllers from a server that makes its objects up as it is asked, so
// that nothing but the caches grows, and says by how much.
#include <fmt/format.h>
#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>

#include "base/metrics.h"
#include "benchmarks/run.h"
#include "benchmarks/sample_gardener.h"
#include "controllers/shared/caches.h"
#include "dialects/gardener/gardener.h"

namespace millwright::benchmarks {
namespace {

// The state of a kind as a watch shows it to who comes for the first time; then nothing happens.
class StateReader final : public net::BodyReader {
 public:
  using Object = std::string (*)(int number);

  StateReader(Object object, int count) : object_(object), count_(count) {}

  Task<Result<std::string>> Read() override {
    if (next_ < count_) {
      co_return fmt::format(R"({{"type":"ADDED","object":{}}})"
                            "\n",
                            object_(next_++));
    }
    if (next_++ == count_) {
      co_return R"({"type":"BOOKMARK","object":{"kind":"Any","apiVersion":"v1","metadata":{)"
                R"("resourceVersion":"9000000","annotations":{"k8s.io/initial-events-end":"true"}}}})"
                "\n";
    }
    co_await UntilCancelled();
    co_return std::string();
  }

 private:
  const Object object_;
  const int count_;
  int next_ = 0;
};

class MadeUpServer final : public net::Http {
 public:
  explicit MadeUpServer(int count) : count_(count) {}

  Task<Result<net::HttpResponse>> Send(net::HttpRequest) override {
    co_return Fail(ErrorKind::kUnavailable, "nobody writes here");
  }

  Task<Result<net::HttpStream>> Open(net::HttpRequest request) override {
    const bool machines = request.target.find("/machines?") != std::string::npos;
    const bool nodes = request.target.find("/nodes?") != std::string::npos;
    co_return net::HttpStream{
        .status = 200,
        .headers = {{"Content-Type", "application/json"}},
        .body = std::make_unique<StateReader>(machines ? GardenerMachine : GardenerNode,
                                              machines || nodes ? count_ : 0)};
  }

 private:
  const int count_;
};

std::size_t RssAnon() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("RssAnon:")) return std::stoul(line.substr(8)) * 1024;
  }
  return 0;
}

std::size_t InUse() { return mallinfo2().uordblks + mallinfo2().hblkhd; }

Task<void> RunCaches(controllers::Caches& caches) { co_await caches.Run(); }

Task<Result<void>> Main(Process process, int count) {
  MadeUpServer server(count);
  kube::Client client(server, "millwright");
  dialects::gardener::GardenerDialect dialect;
  kube::Recorder events(process.executor, client, process.clock, process.log.For("events"), {});
  controllers::Surroundings surroundings{.executor = process.executor,
                                         .clock = process.clock,
                                         .random = process.random,
                                         .log = process.log,
                                         .control = client,
                                         .target = &client,
                                         .dialect = dialect,
                                         .events = events,
                                         .settings = {}};
  controllers::Caches caches(surroundings);
  const std::size_t before = RssAnon();
  const std::size_t in_use_before = InUse();
  TaskGroup running(process.executor);
  running.Spawn([&] { return RunCaches(caches); });
  co_await caches.WaitSynced();
  const double each = count;
  fmt::print(
      "{:>6} machines with nodes: {:5.0f} B each (RssAnon), {:5.0f} B in use by malloc; documents "
      "{} B and {} B; records {} B and {} B\n",
      caches.machines.store().size(), static_cast<double>(RssAnon() - before) / each,
      static_cast<double>(InUse() - in_use_before) / each, GardenerMachine(0).size(),
      GardenerNode(0).size(), sizeof(dialects::MachineRecord), sizeof(dialects::NodeRecord));
  std::fflush(stdout);
  running.Cancel();
  co_await running.Join();
  co_return Ok();
}

int Measure(int count) {
  const pid_t child = fork();
  if (child == 0) {
    _exit(RunProcess([&](Process process) { return Main(std::move(process), count); }));
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status == 0 ? 0 : 1;
}

}  // namespace
}  // namespace millwright::benchmarks

int main(int argc, char** argv) {
  if (argc < 2) return millwright::benchmarks::Measure(10'000);
  for (int i = 1; i < argc; ++i) {
    if (millwright::benchmarks::Measure(std::stoi(argv[i])) != 0) return 1;
  }
  return 0;
}
