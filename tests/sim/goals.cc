#include "tests/sim/goals.h"

#include <fmt/format.h>

#include <algorithm>

namespace millwright::sim {

using namespace std::chrono_literals;

namespace {

// The auditor looks at what is stored; this is what is said.
void ExpectDiscretion(Cluster& cluster, Outcome& outcome) {
  const std::set<std::string>& tokens = cluster.auditor().tokens();
  for (const std::string& line : cluster.log().lines()) {
    const bool tells =
        line.contains(kSecret) ||
        std::ranges::any_of(tokens, [&](const auto& token) { return line.contains(token); });
    if (tells) outcome.violations.push_back("a secret in the log: " + line);
  }
}

double SecondsOf(SteadyTime time) {
  return std::chrono::duration<double>(time.time_since_epoch()).count();
}

double LivedSeconds(Cluster& cluster) {
  double seconds =
      static_cast<double>(cluster.cloud().live()) * SecondsOf(cluster.world().Elapsed());
  for (const providers::CloudEvent& event : cluster.cloud().history()) {
    if (event.kind == providers::EventKind::kCreated) seconds -= SecondsOf(event.at);
    if (event.kind == providers::EventKind::kRemoved) seconds += SecondsOf(event.at);
  }
  return seconds;
}

}  // namespace

bool IsSettled(const Auditor& auditor, int replicas) {
  return auditor.machines().size() == static_cast<std::size_t>(replicas) &&
         auditor.Running() == replicas && auditor.IsTrueOfTheCloud();
}

bool IsRolled(const Auditor& auditor, int replicas) {
  if (!IsSettled(auditor, replicas) || auditor.deployments().size() != 1) return false;
  const DeploymentFacts& deployment = auditor.deployments().begin()->second;
  return deployment.updated == replicas && deployment.observed;
}

bool IsEmpty(const Auditor& auditor) {
  return auditor.machines().empty() && auditor.sets().empty() && auditor.deployments().empty();
}

void Expect(Outcome& outcome, bool reached, std::string_view what) {
  if (!reached) outcome.violations.push_back(fmt::format("not reached in time: {}", what));
}

void ExpectRest(Cluster& cluster, Outcome& outcome) {
  cluster.Pass(2min);  // events that wait to be written, leases of nothing
  cluster.ForgetWrites();
  cluster.Pass(10min);
  if (!cluster.writes().empty()) {
    outcome.violations.push_back(fmt::format("{} writes at rest, such as {}",
                                             cluster.writes().size(), cluster.writes().front()));
  }
  if (!cluster.calls().empty()) {
    outcome.violations.push_back(fmt::format("{} calls of the cloud at rest, such as {}",
                                             cluster.calls().size(), cluster.calls().front()));
  }
}

Outcome Finish(Cluster& cluster, Outcome outcome) {
  ExpectDiscretion(cluster, outcome);
  cluster.auditor().ExpectNothingLeft(cluster.store(), cluster.world().Elapsed());
  const auto& broken = cluster.auditor().violations();
  outcome.violations.insert(outcome.violations.end(), broken.begin(), broken.end());
  outcome.points = cluster.points();
  outcome.steps = cluster.steps();
  if (outcome.focus.end_point == 0) {
    outcome.focus = {.end_point = outcome.points, .first_step = 1, .end_step = outcome.steps};
  }
  outcome.checks = cluster.auditor().checks();
  outcome.crashes = cluster.crashes();
  outcome.luck = cluster.luck();
  for (const std::string& line : cluster.log().lines()) outcome.trace += line + "\n";
  for (const providers::CloudEvent& event : cluster.cloud().history()) {
    outcome.trace += ToString(event) + "\n";
  }
  outcome.simulated_seconds = SecondsOf(cluster.world().Elapsed());
  outcome.machine_seconds = LivedSeconds(cluster);
  return outcome;
}

// Where nobody looks for VMs that nobody asked for, none may come of an old view of a machine: a
// second VM has to be asked for in so many words.
providers::EngineOptions SlowCloud(const Words& words) {
  providers::EngineOptions options{.boot = 30s};
  options.record_attempts = !words.sweeps_orphans;
  options.times[providers::IndexOf(providers::CallKind::kCreate)] = {.effect = 2s, .answer = 1s};
  options.times[providers::IndexOf(providers::CallKind::kRemove)] = {.effect = 1s, .answer = 1s};
  return options;
}

}  // namespace millwright::sim
