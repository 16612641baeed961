#include "cli/contract_diagnosis.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "cli/age.h"
#include "cli/rollout_state.h"
#include "controllers/contract/deployment/deployment_view.h"
#include "controllers/contract/set/set_view.h"
#include "dialects/capi/names.h"
#include "dialects/capi/status/words.h"

namespace millwright::cli {

namespace capi = dialects::capi;
namespace contract = controllers::contract;
namespace types = capi::types;
using capi::Truth;

namespace {

// More of the same helps nobody; `millwright tree` has all.
constexpr std::size_t kMostMachines = 5;

void Add(std::vector<Cause>& causes, std::string what, std::vector<Cause> because = {}) {
  causes.push_back({std::move(what), std::move(because)});
}

void Append(std::vector<Cause>& causes, std::vector<Cause> more) {
  std::ranges::move(more, std::back_inserter(causes));
}

void AddIf(const capi::Conditions& conditions, std::string_view type, Truth status,
           std::string_view what, std::vector<Cause>& causes) {
  const capi::Condition* condition = capi::Find(conditions, type);
  if (condition == nullptr || condition->status != status) return;
  Add(causes, std::string(what), Bullets(condition->message));
}

// Only if something speaks against it: that it grows is no news.
void AddBlocked(const capi::Conditions& conditions, std::vector<Cause>& causes) {
  const capi::Condition* up = capi::Find(conditions, types::kScalingUp);
  if (up == nullptr || !up->message.view().contains("blocked")) return;
  Append(causes, Bullets(up->message));
}

void AddMachines(const ContractSeen& seen, const capi::SetRecord& set, WallTime now,
                 std::vector<Cause>& causes) {
  std::size_t bad = 0;
  for (const capi::MachineRecord* machine : seen.MachinesOf(set)) {
    std::vector<Cause> why = WhyNot(seen, *machine, now);
    if (why.empty() || ++bad > kMostMachines) continue;
    Add(causes,
        fmt::format("{} {}, {} old", capi::kMachineKind, machine->meta.key.name,
                    AgeSince(machine->created, now)),
        std::move(why));
  }
  if (bad > kMostMachines) {
    Add(causes,
        fmt::format("and {} more: see millwright tree {}", bad - kMostMachines, set.meta.key.name));
  }
}

// `subject` is how the sentence begins: "it", or its name.
std::optional<Cause> WhyNotSet(const ContractSeen& seen, const capi::SetRecord& set,
                               const std::string& subject, WallTime now) {
  std::vector<Cause> causes = WhyPaused(seen.ClusterOf(set, set.spec.cluster), set);
  AddBlocked(set.status.conditions, causes);
  AddIf(set.status.conditions, types::kRemediating, Truth::kTrue, "machines are being replaced",
        causes);
  AddMachines(seen, set, now, causes);
  if (set.deleting()) {
    Append(causes, HeldBy(set.finalizers));
    return Cause{fmt::format("{} is being deleted and has {}", subject,
                             Plural(std::ssize(seen.MachinesOf(set)), "machine")),
                 std::move(causes)};
  }
  if (causes.empty() && set.status.observed_generation < set.meta.generation) {
    Add(causes, "the controller has not looked at its last change yet: is it running?");
  }
  const int wished = set.spec.replicas.value_or(0);
  const int there = set.status.replicas.value_or(0);
  const int ready = set.status.ready.value_or(0);
  if (there == wished && ready == wished && causes.empty()) return std::nullopt;
  return Cause{fmt::format("{} wants {}, has {} and {} ready", subject, Plural(wished, "machine"),
                           there, ready),
               std::move(causes)};
}

// What keeps a deployment as a whole from being rolled out.
void AddHolds(const capi::DeploymentRecord& deployment, const dialects::DeploymentRecord& shown,
              std::vector<Cause>& causes) {
  if (!shown.problem.empty()) Add(causes, shown.problem);
  if (IsUnseen(shown)) {
    Add(causes, fmt::format("the controller has not looked at its last change yet (generation {}, "
                            "seen {}): is it running?",
                            shown.meta.generation, shown.observed_generation));
  }
  if (deployment.spec.paused) {
    Add(causes, fmt::format("it is paused, so that changes are not rolled out: millwright rollout "
                            "resume {}",
                            deployment.meta.key.name));
  }
  const bool outdated = shown.seen.replicas > shown.seen.updated;
  if (shown.core.strategy == core::Strategy::kOnDelete && outdated) {
    Add(causes, "its strategy is OnDelete: old machines are replaced when somebody deletes them");
  }
}

void AddWorkers(const ContractSeen& seen, const capi::ClusterRecord& cluster, WallTime now,
                std::vector<Cause>& causes) {
  for (const capi::DeploymentRecord& deployment : seen.deployments) {
    if (seen.ClusterOf(deployment, deployment.spec.cluster) != &cluster) continue;
    std::vector<Cause> why = WhyNot(seen, deployment, now);
    if (why.empty()) continue;
    Add(causes, fmt::format("{} {}", capi::kDeploymentKind, deployment.meta.key.name),
        std::move(why));
  }
}

}  // namespace

std::vector<Cause> WhyNot(const ContractSeen& seen, const capi::SetRecord& set, WallTime now) {
  auto why = WhyNotSet(seen, set, "it", now);
  return why ? std::vector<Cause>{*std::move(why)} : std::vector<Cause>();
}

std::vector<Cause> WhyNot(const ContractSeen& seen, const capi::DeploymentRecord& deployment,
                          WallTime now) {
  const dialects::DeploymentRecord shown = AsShown(deployment);
  const RolloutState state = StateOf(shown);
  const capi::ClusterRecord* cluster = seen.ClusterOf(deployment, deployment.spec.cluster);
  std::vector<Cause> causes = WhyPaused(cluster, deployment);
  if (cluster == nullptr) {
    Add(causes, fmt::format("Cluster {} does not exist", deployment.spec.cluster));
  }
  AddHolds(deployment, shown, causes);
  if (state.word == "Ready" && causes.empty()) return {};
  const auto sets = seen.SetsOf(deployment);
  for (const capi::SetRecord* set : sets) {
    const std::string subject = fmt::format(
        "{} {} ({}, revision {})", capi::kSetKind, set->meta.key.name,
        contract::IsCurrent(*set, &deployment) ? "current" : "old", contract::RevisionOf(*set));
    auto why = WhyNotSet(seen, *set, subject, now);
    if (why) causes.push_back(*std::move(why));
  }
  if (deployment.deleting()) Append(causes, HeldBy(deployment.finalizers));
  if (causes.empty() && sets.empty() && !deployment.deleting()) {
    Add(causes, "it has no set yet: is the controller running?");
  }
  const bool told_below = state.word == "Changed" || state.word == "Invalid";
  if (state.sentence.empty() || told_below) return causes;
  return {{state.sentence, std::move(causes)}};
}

std::vector<Cause> WhyNot(const ContractSeen& seen, const capi::ClusterRecord& cluster,
                          WallTime now) {
  std::vector<Cause> causes = WhyPaused(&cluster, cluster);
  const capi::Conditions& conditions = cluster.status.conditions;
  if (cluster.deleting()) {
    std::vector<Cause> because;
    const capi::Condition* deleting = capi::Find(conditions, types::kDeleting);
    if (deleting != nullptr) because = Bullets(deleting->message);
    Append(because, HeldBy(cluster.finalizers));
    AddWorkers(seen, cluster, now, because);
    Add(causes, "it is being deleted since " + AgeSince(*cluster.meta.deleting_since, now),
        std::move(because));
    return causes;
  }
  if (conditions.empty()) Add(causes, "nobody has acted on it: is the controller running?");
  if (cluster.infrastructure.defined()) {
    Append(causes, WhyNot(seen, cluster, cluster.infrastructure,
                          ExternalRole::kClusterInfrastructure, now));
  }
  if (cluster.control_plane.defined()) {
    Append(causes, WhyNot(seen, cluster, cluster.control_plane, ExternalRole::kControlPlane, now));
  }
  AddIf(conditions, types::kRemoteConnectionProbe, Truth::kFalse,
        "its API server is not reached: look at the Secret " + cluster.meta.key.name +
            "-kubeconfig and at its endpoint",
        causes);
  AddWorkers(seen, cluster, now, causes);
  return causes;
}

}  // namespace millwright::cli
