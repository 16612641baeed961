#include "tests/sim/workload.h"

#include <fmt/format.h>
#include <boost/json.hpp>

namespace millwright::sim {

namespace json = boost::json;
using namespace std::chrono_literals;

namespace {

constexpr const char* kWeb =
    "/apis/machine.sapcloud.io/v1alpha1/namespaces/default/machinedeployments/web";

void Patch(Cluster& cluster, std::string_view patch) {
  cluster.Ask("PATCH", kWeb, std::string(patch), "application/merge-patch+json");
}

int Living(const Auditor& auditor) {
  int living = 0;
  for (const auto& [key, machine] : auditor.machines()) living += machine.deleting ? 0 : 1;
  return living;
}

// So many machines run and no others are there, not even going.
bool IsSettled(const Auditor& auditor, int replicas) {
  return auditor.Count("Running") == replicas &&
         auditor.machines().size() == static_cast<std::size_t>(replicas);
}

bool AllOfNewTemplate(const Cluster& cluster, Auditor& auditor, int replicas) {
  if (!IsSettled(auditor, replicas)) return false;
  const apiserver::RecordPtr record =
      cluster.store().Get("/machine.sapcloud.io/machinedeployments/default/web");
  if (record == nullptr) return false;
  const json::value deployment = json::parse(record->value);
  boost::system::error_code none;
  const json::value* updated = deployment.find_pointer("/status/updatedReplicas", none);
  const json::value* observed = deployment.find_pointer("/status/observedGeneration", none);
  return updated != nullptr && updated->to_number<int>() == replicas && observed != nullptr &&
         *observed == deployment.at("metadata").at("generation");
}

bool IsEmpty(const Auditor& auditor) {
  return auditor.machines().empty() && auditor.sets().empty() && auditor.deployments().empty();
}

void Expect(Outcome& outcome, bool reached, std::string_view what) {
  if (!reached) outcome.violations.push_back(fmt::format("not reached in time: {}", what));
}

// Nothing is written once all is as it should be.
void ExpectRest(Cluster& cluster, Outcome& outcome) {
  cluster.Pass(2min);  // events that wait to be written, leases of nothing
  cluster.ForgetWrites();
  cluster.Pass(10min);
  if (!cluster.writes().empty()) {
    outcome.violations.push_back(fmt::format("{} writes at rest, such as {}",
                                             cluster.writes().size(), cluster.writes().front()));
  }
}

// What must not be told to anybody.
void ExpectDiscretion(const Cluster& cluster, Outcome& outcome) {
  for (const std::string& line : cluster.log().lines()) {
    if (line.contains(kSecret)) outcome.violations.push_back("a secret in the log: " + line);
  }
  for (const char* scope : {"/core/events/", "/machine.sapcloud.io/machines/",
                            "/machine.sapcloud.io/machinesets/", "/core/nodes/"}) {
    const auto page = cluster.store().List({.scope = scope});
    for (const apiserver::RecordPtr& record : page->records) {
      if (record->value.contains(kSecret)) {
        outcome.violations.push_back("a secret in " + record->key);
      }
    }
  }
}

Outcome Finish(Cluster& cluster, Outcome outcome) {
  ExpectDiscretion(cluster, outcome);
  cluster.auditor().ExpectNothingLeft(cluster.store());
  const auto& broken = cluster.auditor().violations();
  outcome.violations.insert(outcome.violations.end(), broken.begin(), broken.end());
  outcome.points = cluster.points();
  outcome.steps = cluster.steps();
  outcome.checks = cluster.auditor().checks();
  outcome.crashes = cluster.crashes();
  for (const std::string& line : cluster.log().lines()) outcome.trace += line + "\n";
  for (const providers::CloudEvent& event : cluster.cloud().history()) {
    outcome.trace += ToString(event) + "\n";
  }
  outcome.simulated_seconds =
      std::chrono::duration<double>(cluster.world().Elapsed().time_since_epoch()).count();
  return outcome;
}

providers::EngineOptions SlowCloud() {
  providers::EngineOptions options{.boot = 30s};
  options.times[providers::IndexOf(providers::CallKind::kCreate)] = {.effect = 2s, .answer = 1s};
  options.times[providers::IndexOf(providers::CallKind::kRemove)] = {.effect = 1s, .answer = 1s};
  return options;
}

}  // namespace

std::string SmallDeployment(int replicas, int surge, int unavailable) {
  return fmt::format(R"(
apiVersion: v1
kind: Secret
metadata: {{name: small, namespace: default}}
stringData: {{userData: "join <<MACHINE_NAME>> with <<BOOTSTRAP_TOKEN>>", password: hunter2}}
---
apiVersion: machine.sapcloud.io/v1alpha1
kind: MachineClass
metadata: {{name: small, namespace: default}}
provider: simulated
providerSpec: {{}}
secretRef: {{name: small, namespace: default}}
---
apiVersion: machine.sapcloud.io/v1alpha1
kind: MachineDeployment
metadata: {{name: web, namespace: default}}
spec:
  replicas: {}
  strategy: {{type: RollingUpdate, rollingUpdate: {{maxSurge: {}, maxUnavailable: {}}}}}
  selector: {{matchLabels: {{app: web}}}}
  template:
    metadata: {{labels: {{app: web, name: web}}}}
    spec: {{class: {{kind: MachineClass, name: small}}}}
)",
                     replicas, surge, unavailable);
}

Outcome RunWholeLife(int replicas, FaultPlan faults, std::uint64_t seed, const Mutant* mutant) {
  Cluster cluster(
      {.seed = seed, .cloud = SlowCloud(), .faults = std::move(faults), .mutant = mutant});
  Auditor& auditor = cluster.auditor();
  Outcome outcome;
  cluster.InstallKinds();
  cluster.Apply(SmallDeployment(replicas));
  cluster.StartControllers();
  Expect(outcome, cluster.Until([&] { return IsSettled(auditor, replicas); }), "created");
  Patch(cluster, fmt::format(R"({{"spec":{{"replicas":{}}}}})", replicas + 1));
  Expect(outcome, cluster.Until([&] { return IsSettled(auditor, replicas + 1); }), "scaled");
  Patch(cluster, R"({"spec":{"template":{"metadata":{"labels":{"v":"2"}}}}})");
  Expect(outcome, cluster.Until([&] { return AllOfNewTemplate(cluster, auditor, replicas + 1); }),
         "rolled");
  // Points are those of the work, not of the checks behind it.
  if (outcome.violations.empty()) ExpectRest(cluster, outcome);
  cluster.Ask("DELETE", kWeb);
  Expect(outcome, cluster.Until([&] { return IsEmpty(auditor); }), "deleted");
  cluster.Pass(2min);
  return Finish(cluster, std::move(outcome));
}

Outcome RunByChance(std::uint64_t seed, const Mutant* mutant) {
  SeededRandom user(seed * 7 + 3);
  const auto some = [&](int most) { return static_cast<int>(user.Below(most + 1)); };
  FaultPlan faults{.chances = {.refused = some(20),
                               .answer_lost = some(20),
                               .conflict = some(20),
                               .throttled = some(20),
                               .server_error = some(20),
                               .crash = some(15),
                               .cut_streams = some(20),
                               .cloud_fails = some(60),
                               .cloud_answer_lost = some(60)},
                   .restart_after = std::chrono::seconds(some(60))};
  Cluster cluster({.seed = seed,
                   .random_order = true,
                   .cloud = SlowCloud(),
                   .faults = faults,
                   .mutant = mutant});
  Auditor& auditor = cluster.auditor();
  // Users scale and delete machines as they like, so only the promises that hold regardless are
  // checked.
  auditor.CheckBounds(false);
  Outcome outcome;
  cluster.InstallKinds();
  int replicas = 1 + some(3);
  cluster.Apply(SmallDeployment(replicas, some(2), some(1)));
  cluster.StartControllers();
  for (int i = 0; i < 6; ++i) {
    cluster.Pass(std::chrono::seconds(some(300)));
    switch (user.Below(5)) {
      case 0:
        replicas = some(5);
        Patch(cluster, fmt::format(R"({{"spec":{{"replicas":{}}}}})", replicas));
        break;
      case 1:
        Patch(cluster,
              fmt::format(R"({{"spec":{{"template":{{"metadata":{{"labels":{{"v":"{}"}}}}}}}}}})",
                          some(3)));
        break;
      case 2:
        if (!auditor.machines().empty()) {
          auto victim = auditor.machines().begin();
          std::advance(victim, user.Below(auditor.machines().size()));
          cluster.Ask("DELETE", "/apis/machine.sapcloud.io/v1alpha1/namespaces/default/machines/" +
                                    victim->second.name);
        }
        break;
      case 3: {
        const auto present = cluster.cloud().Present();
        if (!present.empty()) {
          (void)cluster.cloud().Halt(present[user.Below(present.size())]->id);
        }
        break;
      }
      default: break;
    }
  }
  cluster.EndFaults();
  // VMs that were switched off are missed, given up and replaced one after the other.
  cluster.Pass(2h);
  Expect(outcome, cluster.Until([&] { return AllOfNewTemplate(cluster, auditor, replicas); }, 3h),
         fmt::format("{} machines of the last template (there are {})", replicas, Living(auditor)));
  if (outcome.violations.empty()) ExpectRest(cluster, outcome);
  cluster.Ask("DELETE", kWeb);
  Expect(outcome, cluster.Until([&] { return IsEmpty(auditor); }, 3h), "deleted");
  cluster.Pass(30min);
  return Finish(cluster, std::move(outcome));
}

std::string MeasureScale(int replicas) {
  Cluster cluster({.cloud = SlowCloud(), .record_log = false});
  Auditor& auditor = cluster.auditor();
  auditor.CheckBounds(false);
  cluster.InstallKinds();
  cluster.Apply(SmallDeployment(0));
  cluster.StartControllers();
  cluster.Pass(1min);
  cluster.ForgetWrites();
  Patch(cluster, fmt::format(R"({{"spec":{{"replicas":{}}}}})", replicas));
  const bool up = cluster.Until([&] { return IsSettled(auditor, replicas); }, 12h);
  Patch(cluster, R"({"spec":{"replicas":0}})");
  const bool down = cluster.Until([&] { return auditor.machines().empty(); }, 12h);
  cluster.Pass(10min);
  std::map<std::string, int> kinds;
  for (const std::string& write : cluster.writes()) {
    // "PATCH /apis/g/v/namespaces/default/machines/NAME/status" -> "PATCH machines/status"
    std::string path = write;
    for (const char* resource : {"machines", "machinesets", "machinedeployments", "nodes",
                                 "secrets", "events", "leases"}) {
      const auto at = path.find(std::string("/") + resource + "/");
      const bool ends = path.ends_with(std::string("/") + resource);
      if (at == path.npos && !ends) continue;
      const bool status = path.ends_with("/status");
      path = path.substr(0, path.find(' ')) + " " + resource + (status ? "/status" : "");
      break;
    }
    ++kinds[path];
  }
  std::string text = fmt::format("{} machines {}{}, {:.2f} writes for each life\n", replicas,
                                 up ? "made" : "NOT MADE", down ? " and gone" : " and NOT GONE",
                                 static_cast<double>(cluster.writes().size()) / replicas);
  for (const auto& [kind, count] : kinds) {
    text += fmt::format("  {:<32} {:8.3f}\n", kind, static_cast<double>(count) / replicas);
  }
  return text;
}

}  // namespace millwright::sim
