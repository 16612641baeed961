#include "tests/sim/scripts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "tests/sim/branches.h"
#include "tests/sim/node_agents.h"
#include "tests/sim/pods.h"

namespace millwright::sim {

using namespace std::chrono_literals;

struct ScriptScene {
  Cluster& cluster;
  Pods& pods;
  int replicas = 0;
  bool two_leaders = false;
  std::string victim;                 // the machine that it is about, by UID
  std::set<std::string> before = {};  // the UIDs of all machines when it began

  const Auditor& auditor() const { return cluster.auditor(); }
};

namespace {

constexpr const char* kMerge = "application/merge-patch+json";
constexpr Duration kLimit = 2h;

std::set<std::string> UidsOf(const Auditor& auditor) {
  std::set<std::string> uids;
  for (const auto& [key, machine] : auditor.machines()) uids.insert(machine.uid);
  return uids;
}

void PatchDeployment(Cluster& cluster, const std::string& patch) {
  cluster.Ask("PATCH", cluster.words().DeploymentPath(), patch, kMerge);
}

bool IsCreated(const ScriptScene& scene) { return IsSettled(scene.auditor(), scene.replicas); }

bool IsReplaced(const ScriptScene& scene) {
  return IsSettled(scene.auditor(), scene.replicas) &&
         !UidsOf(scene.auditor()).contains(scene.victim);
}

bool IsGone(const ScriptScene& scene) { return IsEmpty(scene.auditor()); }

bool HasRolled(const ScriptScene& scene) { return IsRolled(scene.auditor(), scene.replicas); }

bool IsUpdated(const ScriptScene& scene) {
  return HasRolled(scene) && UidsOf(scene.auditor()) == scene.before;
}

// The VM of the first machine is switched off for good.
void Fail(ScriptScene& scene) {
  const MachineFacts& machine = scene.auditor().machines().begin()->second;
  scene.victim = machine.uid;
  (void)scene.cluster.cloud().Halt(machine.provider_id);
}

void DeleteMachine(ScriptScene& scene) {
  const Words& words = scene.cluster.words();
  const MachineFacts machine = scene.auditor().machines().begin()->second;
  scene.victim = machine.uid;
  scene.cluster.Ask("DELETE", words.Path(words.machines, machine.name));
}

void Roll(ScriptScene& scene) { PatchDeployment(scene.cluster, scene.cluster.words().rolled(2)); }

void DeleteAll(ScriptScene& scene) {
  scene.pods.End();  // else their budget would keep the last machine
  scene.cluster.Ask("DELETE", scene.cluster.words().DeploymentPath());
}

constexpr Script kScripts[] = {
    {.name = "create", .reached = IsCreated, .keeps_bounds = true},
    {.name = "run", .act = Fail, .reached = IsReplaced},
    {.name = "roll", .act = Roll, .reached = HasRolled, .keeps_bounds = true},
    {.name = "drain", .act = DeleteMachine, .reached = IsReplaced},
    {.name = "delete", .act = DeleteAll, .reached = IsGone, .keeps_bounds = true},
    {.name = "in-place", .act = Roll, .reached = IsUpdated, .in_place = true},
};

// Crashes are tried from here on.
Stretch FromHere(Cluster& cluster) {
  if (Branches* branches = cluster.faults().branches) branches->Enable(true);
  return {.first_point = cluster.points(), .first_step = cluster.steps()};
}

void EndHere(Cluster& cluster, Stretch& stretch) {
  if (Branches* branches = cluster.faults().branches) branches->Enable(false);
  stretch.end_point = cluster.points();
  stretch.end_step = cluster.steps();
}

void Play(const Script& script, ScriptScene& scene, Outcome& outcome) {
  Cluster& cluster = scene.cluster;
  outcome.focus = FromHere(cluster);
  if (script.act != nullptr) EndHere(cluster, outcome.focus);
  cluster.StartControllers();
  if (scene.two_leaders) cluster.StartRival();
  Expect(outcome, cluster.Until([&] { return IsCreated(scene); }), "created");
  if (script.act != nullptr && outcome.violations.empty()) {
    cluster.Pass(1min);  // what follows the creation is its own
    scene.before = UidsOf(scene.auditor());
    outcome.focus = FromHere(cluster);
    script.act(scene);
    Expect(outcome, cluster.Until([&] { return script.reached(scene); }, kLimit), script.name);
  }
  EndHere(cluster, outcome.focus);
}

}  // namespace

std::span<const Script> Scripts() { return kScripts; }

const Script* FindScript(std::string_view name) {
  const auto* found = std::ranges::find(kScripts, name, &Script::name);
  return found == std::end(kScripts) ? nullptr : found;
}

bool CanPlay(const Script& script, const Words& words) {
  return !script.in_place || words.updated_node != nullptr;
}

Outcome RunScript(const Script& script, LifeRun run) {
  Cluster cluster({.seed = run.seed,
                   .cloud = SlowCloud(*run.words),
                   .faults = std::move(run.faults),
                   .words = run.words,
                   .mutant = run.mutant});
  const Words& words = *run.words;
  Sample sample{.replicas = run.replicas};
  if (script.in_place) sample.strategy = words.in_place;
  Outcome outcome;
  cluster.auditor().CheckBounds(script.keeps_bounds);
  cluster.InstallKinds();
  cluster.Apply(words.sample(sample));
  Pods pods(cluster, 2, 1);
  NodeAgents agents(cluster);
  ScriptScene scene{.cluster = cluster,
                    .pods = pods,
                    .replicas = run.replicas,
                    .two_leaders = run.two_leaders,
                    .victim = {}};
  Play(script, scene, outcome);
  if (outcome.violations.empty()) ExpectRest(cluster, outcome);
  pods.End();
  cluster.Ask("DELETE", words.DeploymentPath());
  Expect(outcome, cluster.Until([&] { return IsGone(scene); }, kLimit), "deleted");
  cluster.Pass(2min);
  return Finish(cluster, std::move(outcome));
}

}  // namespace millwright::sim
