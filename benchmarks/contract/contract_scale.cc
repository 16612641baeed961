// How the loops of Cluster API's dialect scale: so many clusters with so many machines each are
// declared at once, and what it takes until all run, and until all are gone, is measured.
//
//   contract_scale --clusters 1000 --machines 1
//   contract_scale --clusters 1 --machines 10000
//
// Everything is in this process and on one thread: the embedded API server of the management
// cluster, one for each workload cluster, the loops with our own provider, and the simulated cloud,
// which makes instances at once. The floor is the time that the server alone would take for the
// writes; the ratio to it is what the loops add.
#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <boost/json.hpp>

#include <malloc.h>
#include <time.h>

#include <fstream>

#include "benchmarks/contract/world.h"
#include "controllers/supply/kinds.h"
#include "dialects/capi/names.h"

namespace millwright::benchmarks {
namespace {

namespace json = boost::json;
namespace contract = controllers::contract;
namespace supply = controllers::supply;
namespace capi = dialects::capi;
using namespace std::chrono_literals;

struct Wish {
  int clusters = 1;
  int machines = 100;
  int probe = 4000;      // writes that the server's rate is measured by
  bool details = false;  // every kind of request
};

// Processor time of this process so far, in seconds. All runs on one thread, so that is what a
// machine with nothing else to do would take; the clock on the wall counts others' work, too.
double ProcessorSeconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

double Seconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }

// Memory that is ours alone, in bytes.
double AnonymousMemory() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("RssAnon:")) return std::strtod(line.c_str() + 8, nullptr) * 1024;
  }
  return 0;
}

json::object Reference(std::string_view group, std::string_view kind, const std::string& name) {
  return {{"apiGroup", group}, {"kind", kind}, {"name", name}};
}

class Declarations {
 public:
  explicit Declarations(kube::Client& client) : client_(client) {}

  Task<Result<void>> Cluster(std::string name, int machines) {
    json::object secret{{"apiVersion", "v1"},
                        {"kind", "Secret"},
                        {"metadata",
                         {{"name", name + "-kubeconfig"},
                          {"namespace", "default"},
                          {"labels", {{capi::labels::kCluster, name}}}}},
                        {"type", "cluster.x-k8s.io/secret"},
                        {"stringData", {{"value", name}}}};
    CO_CHECK(co_await client_.Create(contract::kSecrets, {"default", name + "-kubeconfig"},
                                     json::serialize(secret)));
    CO_CHECK(co_await Templates(name));
    CO_CHECK(co_await Create(supply::kInfrastructures, "MillwrightCluster", name, {}));
    CO_CHECK(co_await Create(supply::kControlPlanes, "MillwrightControlPlane", name, {}));
    json::object spec{
        {"controlPlaneEndpoint", {{"host", "127.0.0.1"}, {"port", 6443}}},
        {"infrastructureRef", Reference(supply::kInfrastructureGroup, "MillwrightCluster", name)},
        {"controlPlaneRef", Reference(supply::kControlPlaneGroup, "MillwrightControlPlane", name)}};
    CO_CHECK(co_await Create(contract::kClusters, "Cluster", name, std::move(spec)));
    co_return co_await Create(contract::kDeployments, "MachineDeployment", name,
                              Workers(name, machines));
  }

  Task<Result<void>> Resize(std::string name, int machines) {
    const json::object patch{{"spec", {{"replicas", machines}}}};
    CO_CHECK(co_await client_.Patch(contract::kDeployments, {"default", name},
                                    kube::PatchKind::kMerge, json::serialize(patch)));
    co_return Ok();
  }

 private:
  Task<Result<void>> Templates(std::string name) {
    const json::object data{{"server", "https://127.0.0.1:6443"},
                            {"token", "<<BOOTSTRAP_TOKEN>>"},
                            {"nodeName", "<<MACHINE_NAME>>"}};
    kube::GroupVersionResource bootstraps = supply::kBootstraps;
    bootstraps.resource = "millwrightbootstraptemplates";
    CO_CHECK(co_await Create(bootstraps, "MillwrightBootstrapTemplate", name,
                             Template({{"userData", json::serialize(data)}})));
    kube::GroupVersionResource instances = supply::kInstances;
    instances.resource = "millwrightmachinetemplates";
    json::object spec{{"provider", "simulated"},
                      {"providerSpec", {{"createSeconds", 0}, {"bootSeconds", 0}}}};
    co_return co_await Create(instances, "MillwrightMachineTemplate", name,
                              Template(std::move(spec)));
  }
  static json::object Template(json::object spec) {
    return {{"template", {{"spec", std::move(spec)}}}};
  }
  // As webhooks would have it: there are none here.
  static json::object Workers(const std::string& cluster, int machines) {
    const json::object labels{{capi::labels::kDeployment, cluster},
                              {capi::labels::kCluster, cluster}};
    const json::object of{{"clusterName", cluster},
                          {"bootstrap",
                           {{"configRef", Reference(supply::kBootstrapGroup,
                                                    "MillwrightBootstrapTemplate", cluster)}}},
                          {"infrastructureRef", Reference(supply::kInfrastructureGroup,
                                                          "MillwrightMachineTemplate", cluster)},
                          {"deletion", {{"nodeDeletionTimeoutSeconds", 10}}}};
    return {{"clusterName", cluster},
            {"replicas", machines},
            {"selector", {{"matchLabels", labels}}},
            {"rollout",
             {{"strategy",
               {{"type", "RollingUpdate"},
                {"rollingUpdate", {{"maxSurge", 1}, {"maxUnavailable", 0}}}}}}},
            {"template", {{"metadata", {{"labels", labels}}}, {"spec", of}}}};
  }
  Task<Result<void>> Create(kube::GroupVersionResource resource, std::string_view kind,
                            std::string name, json::object spec) {
    const json::object body{{"apiVersion", resource.group + "/" + resource.version},
                            {"kind", kind},
                            {"metadata", {{"name", name}, {"namespace", "default"}}},
                            {"spec", std::move(spec)}};
    CO_CHECK(co_await client_.Create(resource, {"default", name}, json::serialize(body)));
    co_return Ok();
  }

  kube::Client& client_;
};

// ---- How fast the server is by itself.

json::object SampleMachine(const std::string& name) {
  return {{"apiVersion", "cluster.x-k8s.io/v1beta2"},
          {"kind", "Machine"},
          {"metadata", {{"name", name}, {"namespace", "default"}}},
          {"spec",
           {{"clusterName", "none"},
            {"bootstrap", {{"dataSecretName", "x"}}},
            {"infrastructureRef",
             Reference(supply::kInfrastructureGroup, "MillwrightMachine", name)}}}};
}

json::object SampleStatus(int round) {
  json::array conditions;
  for (const char* type : {"Available", "Ready", "UpToDate", "BootstrapConfigReady",
                           "InfrastructureReady", "NodeHealthy", "NodeReady", "Paused"}) {
    conditions.push_back(json::object{{"type", type},
                                      {"status", round % 2 == 0 ? "True" : "False"},
                                      {"reason", "Because"},
                                      {"message", fmt::format("in round {}", round)},
                                      {"lastTransitionTime", "2026-01-01T00:00:00Z"}});
  }
  return {{"status", {{"phase", "Running"}, {"conditions", std::move(conditions)}}}};
}

Task<void> WriteSome(kube::Client& client, int first, int count, Result<void>& failed) {
  for (int i = first; i < first + count && failed; ++i) {
    const std::string name = fmt::format("probe-{}", i);
    const auto created = co_await client.Create(contract::kMachines, {"default", name},
                                                json::serialize(SampleMachine(name)));
    if (!created) failed = Failure(created.error());
    for (int round = 0; round < 3 && failed; ++round) {
      const auto written = co_await client.Patch(
          contract::kMachines, {"default", name}, kube::PatchKind::kMerge,
          json::serialize(SampleStatus(round)), {.write = {.subresource = "status"}});
      if (!written) failed = Failure(written.error());
    }
    if (failed) failed = co_await client.Delete(contract::kMachines, {"default", name});
  }
}

// Writes per second of processor time: a creation, three changes of the status, a deletion, and
// again.
Task<Result<double>> MeasureRate(const Process& process, kube::Client& client, int writes) {
  constexpr int kAtOnce = 64;
  constexpr int kWritesOfOne = 5;
  const int each = std::max(1, writes / kAtOnce / kWritesOfOne);
  Result<void> failed;
  const double began = ProcessorSeconds();
  TaskGroup tasks(process.executor);
  for (int i = 0; i < kAtOnce; ++i) {
    tasks.Spawn([&client, &failed, i, each] { return WriteSome(client, i * each, each, failed); });
  }
  co_await tasks.Join();
  CO_CHECK(failed);
  co_return static_cast<double>(kAtOnce * each * kWritesOfOne) / (ProcessorSeconds() - began);
}

// ---- The run.

struct Stretch {
  double seconds = 0;  // of processor time
  double wall = 0;     // by the clock
  RequestCounts management;
  RequestCounts workload;
};

RequestCounts Since(const RequestCounts& before, const RequestCounts& after) {
  RequestCounts made;
  for (const auto& [name, count] : after) {
    const auto known = before.find(name);
    const std::uint64_t more = count - (known == before.end() ? 0 : known->second);
    if (more > 0) made[name] = more;
  }
  return made;
}

void Print(std::string_view what, const Stretch& stretch, double machines, double rate,
           const Wish& wish) {
  const double writes = static_cast<double>(WritesIn(stretch.management));
  const double there = static_cast<double>(WritesIn(stretch.workload));
  const double floor = (writes + there) / rate;
  fmt::print(
      "{}: {:.1f} s of processor time ({:.1f} s by the clock), {:.0f} machines/s; writes for a "
      "machine: {:.2f} here, {:.2f} there; floor {:.1f} s, ratio {:.2f}\n",
      what, stretch.seconds, stretch.wall, machines / stretch.seconds, writes / machines,
      there / machines, floor, stretch.seconds / floor);
  if (!wish.details) return;
  for (const auto& [place, counts] :
       {std::pair("here", &stretch.management), std::pair("there", &stretch.workload)}) {
    for (const auto& [name, count] : *counts) {
      fmt::print("  {:5} {:44} {:8.3f}\n", place, name, static_cast<double>(count) / machines);
    }
  }
}

class Run {
 public:
  Run(const Process& process, World& world) : process_(process), world_(world) { Begin(); }

  void Begin() {
    here_ = world_.counts;
    there_ = world_.workload_counts;
    began_ = process_.clock.Elapsed();
    used_ = ProcessorSeconds();
  }

  // What happens from the last Begin until `done`, looked at now and then.
  template <class Done>
  Task<Result<Stretch>> Until(Done done) {
    while (!done()) {
      if (co_await SleepFor(process_.clock, 100ms) == Wake::kCancelled) break;
      if (process_.clock.Elapsed() - began_ > 1h) {
        co_return Fail(ErrorKind::kUnavailable, "it does not come to an end");
      }
    }
    co_return Stretch{.seconds = ProcessorSeconds() - used_,
                      .wall = Seconds(process_.clock.Elapsed() - began_),
                      .management = Since(here_, world_.counts),
                      .workload = Since(there_, world_.workload_counts)};
  }

 private:
  const Process& process_;
  World& world_;
  RequestCounts here_;
  RequestCounts there_;
  SteadyTime began_;
  double used_ = 0;
};

// What a controller process has in memory for it: another one's loops are started beside ours. At
// rest there is nothing for them to do.
Task<void> MeasureMemory(Process process, World& world, double machines) {
  malloc_trim(0);
  const double before = AnonymousMemory();
  const std::unique_ptr<Loops> second = world.MakeSecond();
  second->Run();
  co_await SleepFor(process.clock, 20s);
  fmt::print("memory of the loops alone: {:.0f} bytes a machine\n",
             (AnonymousMemory() - before) / machines);
  co_await second->Close();
}

Task<Result<void>> Measure(Process process, Wish wish) {
  World world(process);
  CO_CHECK(co_await world.Start(wish.clusters));
  CO_TRY(const double rate,
         co_await MeasureRate(process, world.management().uncounted(), wish.probe));
  fmt::print("the server alone: {:.0f} writes per second of processor time\n", rate);
  world.Run();
  co_await SleepFor(process.clock, 2s);
  const double empty = AnonymousMemory();

  Declarations declare(world.management().uncounted());
  const auto name = [](int i) { return fmt::format("c{}", i); };
  const double all = static_cast<double>(wish.clusters) * wish.machines;
  Run run(process, world);
  const auto& machines = world.caches().machines.store();
  const auto& deployments = world.caches().deployments.store();
  for (int i = 0; i < wish.clusters; ++i)
    CO_CHECK(co_await declare.Cluster(name(i), wish.machines));
  CO_TRY(const Stretch up, co_await run.Until([&] {
    return static_cast<int>(machines.size()) == wish.clusters * wish.machines &&
           std::ranges::all_of(deployments.objects(), [&](const capi::DeploymentRecord& one) {
             return one.status.available == wish.machines;
           });
  }));
  Print("to Running", up, all, rate, wish);
  fmt::print("memory: {:.0f} bytes a machine for all of it (servers, loops, cloud)\n",
             (AnonymousMemory() - empty) / all);
  run.Begin();
  CO_TRY(const Stretch rest, co_await run.Until([until = process.clock.Elapsed() + 15s, &process] {
    return process.clock.Elapsed() >= until;
  }));
  const auto events = rest.management.find("POST events");
  fmt::print("at rest: {} writes in 15 s, {} of them events that had to wait\n",
             WritesIn(rest.management) + WritesIn(rest.workload),
             events == rest.management.end() ? 0 : events->second);

  co_await MeasureMemory(process, world, all);

  run.Begin();
  for (int i = 0; i < wish.clusters; ++i) CO_CHECK(co_await declare.Resize(name(i), 0));
  CO_TRY(const Stretch down, co_await run.Until([&] { return machines.size() == 0; }));
  Print("to none", down, all, rate, wish);
  co_await world.Close();
  co_return Ok();
}

int Main(int argc, char** argv) {
  Wish wish;
  CLI::App app("Measures how the loops of Cluster API's dialect scale.");
  app.add_option("--clusters", wish.clusters, "so many clusters")->check(CLI::PositiveNumber);
  app.add_option("--machines", wish.machines, "so many machines in each")
      ->check(CLI::PositiveNumber);
  app.add_option("--probe", wish.probe, "so many writes to measure the server by");
  app.add_flag("--details", wish.details, "print every kind of request");
  CLI11_PARSE(app, argc, argv);
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  return RunProcess([&wish](Process process) { return Measure(std::move(process), wish); });
}

}  // namespace
}  // namespace millwright::benchmarks

int main(int argc, char** argv) { return millwright::benchmarks::Main(argc, argv); }
