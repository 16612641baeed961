#include "tests/sim/workload.h"

#include <fmt/format.h>
#include <boost/json.hpp>

#include <algorithm>

#include "tests/sim/pods.h"
#include "tests/sim/stage.h"

namespace millwright::sim {

namespace json = boost::json;
using namespace std::chrono_literals;

namespace {

constexpr const char* kMerge = "application/merge-patch+json";

void Patch(Cluster& cluster, const std::string& patch) {
  cluster.Ask("PATCH", cluster.words().DeploymentPath(), patch, kMerge);
}

// Where the objects are asked for that the store has in a scope: "/group/plural/".
void AddPaths(Cluster& cluster, std::string_view scope, std::vector<std::string>& paths) {
  const auto page = cluster.store().List({.scope = std::string(scope)});
  for (const apiserver::RecordPtr& record : page->records) {
    const json::value object = json::parse(record->value);
    const std::string_view plural = scope.substr(scope.find('/', 1));
    paths.push_back(fmt::format("/apis/{}/namespaces/default{}{}", TextAt(object, "/apiVersion"),
                                plural, TextAt(object, "/metadata/name")));
  }
}

// Somebody else writes into every object of ours.
void MarkAll(Cluster& cluster) {
  const Words& words = cluster.words();
  std::vector<std::string> paths = {words.DeploymentPath()};
  for (const auto& [key, set] : cluster.auditor().sets()) {
    paths.push_back(words.Path(words.sets, set.name));
  }
  for (const auto& [key, machine] : cluster.auditor().machines()) {
    paths.push_back(words.Path(words.machines, machine.name));
    paths.push_back("/api/v1/nodes/" + machine.node);
  }
  for (const std::string_view scope : words.parts) AddPaths(cluster, scope, paths);
  for (const std::string& path : paths) {
    cluster.Ask("PATCH", path, R"({"metadata":{"annotations":{"example.com/note":"b"}}})", kMerge);
  }
}

// Before anything of ours touches it.
void MarkSecret(Cluster& cluster) {
  cluster.Ask("PATCH", fmt::format("/api/v1/namespaces/default/secrets/{}", kSecretName),
              R"({"metadata":{"finalizers":["example.com/held"]}})", kMerge);
}

}  // namespace

Outcome RunWholeLife(LifeRun run) {
  Cluster cluster({.seed = run.seed,
                   .cloud = SlowCloud(*run.words),
                   .faults = std::move(run.faults),
                   .words = run.words,
                   .mutant = run.mutant});
  const Words& words = *run.words;
  Auditor& auditor = cluster.auditor();
  Outcome outcome;
  cluster.InstallKinds();
  cluster.Apply(words.sample({.replicas = run.replicas}));
  MarkSecret(cluster);
  Pods pods(cluster, 2, 1);
  cluster.StartControllers();
  if (run.two_leaders) cluster.StartRival();
  Expect(outcome, cluster.Until([&] { return IsSettled(auditor, run.replicas); }), "created");
  Patch(cluster, words.scaled(run.replicas + 1));
  Expect(outcome, cluster.Until([&] { return IsSettled(auditor, run.replicas + 1); }), "scaled");
  MarkAll(cluster);
  Patch(cluster, words.rolled(2));
  Expect(outcome, cluster.Until([&] { return IsRolled(auditor, run.replicas + 1); }), "rolled");
  // Points are those of the work, not of the checks behind it.
  if (outcome.violations.empty()) ExpectRest(cluster, outcome);
  pods.End();
  cluster.Ask("DELETE", words.DeploymentPath());
  Expect(outcome, cluster.Until([&] { return IsEmpty(auditor); }), "deleted");
  cluster.Pass(2min);
  return Finish(cluster, std::move(outcome));
}

Outcome RunByChance(const ChanceRun& run) {
  Schedule schedule = DrawSchedule(run.seed, run.edition);
  schedule.faults.only = run.luck;
  if (run.happenings) {
    std::vector<Happening> chosen;
    for (const std::uint64_t number : *run.happenings) {
      if (number < schedule.happenings.size()) chosen.push_back(schedule.happenings[number]);
    }
    schedule.happenings = std::move(chosen);
  }
  Cluster cluster({.seed = run.seed,
                   .random_order = true,
                   .cloud = SlowCloud(*run.words),
                   .faults = schedule.faults,
                   .words = run.words,
                   .mutant = run.mutant});
  Auditor& auditor = cluster.auditor();
  // Users scale and delete machines as they like, so only the promises that
  // hold regardless are checked.
  auditor.CheckBounds(false);
  auditor.CheckMost(std::ranges::none_of(schedule.happenings, [](const Happening& happening) {
    return happening.what == What::kScaled || happening.what == What::kRemade;
  }));
  Outcome outcome;
  cluster.InstallKinds();
  cluster.Apply(run.words->sample({.replicas = schedule.replicas,
                                   .surge = schedule.surge,
                                   .unavailable = schedule.unavailable}));
  Pods pods(cluster, schedule.pods, schedule.least_pods);
  cluster.StartControllers();
  Stage stage(cluster, cluster.world().Elapsed());
  stage.Wish(schedule.replicas);
  stage.Play(schedule.happenings);
  cluster.EndFaults();
  // VMs that were switched off are missed, given up and replaced one after the
  // other.
  cluster.Pass(2h);
  const int replicas = stage.replicas();
  Expect(outcome, cluster.Until([&] { return IsRolled(auditor, replicas); }, 3h),
         fmt::format("{} machines of the last template (there are {}, {} of them run)", replicas,
                     auditor.machines().size(), auditor.Running()));
  if (outcome.violations.empty()) ExpectRest(cluster, outcome);
  pods.End();
  cluster.Ask("DELETE", run.words->DeploymentPath());
  Expect(outcome, cluster.Until([&] { return IsEmpty(auditor); }, 3h), "deleted");
  cluster.Pass(30min);
  return Finish(cluster, std::move(outcome));
}

namespace {

// "PATCH /apis/g/v/namespaces/default/machines/NAME/status" -> "PATCH
// machines/status"
std::string KindOfWrite(const std::string& write, const Words& words) {
  const std::string method = write.substr(0, write.find(' '));
  for (const std::string_view resource :
       {words.machines, words.sets, words.deployments, std::string_view("nodes"),
        std::string_view("secrets"), std::string_view("events"), std::string_view("leases")}) {
    if (!write.contains(fmt::format("/{}/", resource)) &&
        !write.ends_with(fmt::format("/{}", resource))) {
      continue;
    }
    return fmt::format("{} {}{}", method, resource, write.ends_with("/status") ? "/status" : "");
  }
  return write;
}

}  // namespace

std::string MeasureScale(int replicas, const Words& words) {
  Cluster cluster({.cloud = SlowCloud(words), .words = &words, .record_log = false});
  Auditor& auditor = cluster.auditor();
  auditor.CheckBounds(false);
  cluster.InstallKinds();
  cluster.Apply(words.sample({.replicas = 0}));
  cluster.StartControllers();
  cluster.Pass(1min);
  cluster.ForgetWrites();
  Patch(cluster, words.scaled(replicas));
  const bool up = cluster.Until([&] { return IsSettled(auditor, replicas); }, 12h);
  Patch(cluster, words.scaled(0));
  const bool down = cluster.Until([&] { return auditor.machines().empty(); }, 12h);
  cluster.Pass(10min);
  std::map<std::string, int> kinds;
  for (const std::string& write : cluster.writes()) ++kinds[KindOfWrite(write, words)];
  std::string text = fmt::format("{} machines {}{}, {:.2f} writes for each life\n", replicas,
                                 up ? "made" : "NOT MADE", down ? " and gone" : " and NOT GONE",
                                 static_cast<double>(cluster.writes().size()) / replicas);
  for (const auto& [kind, count] : kinds) {
    text += fmt::format("  {:<32} {:8.3f}\n", kind, static_cast<double>(count) / replicas);
  }
  return text;
}

}  // namespace millwright::sim
