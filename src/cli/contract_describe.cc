#include "cli/contract_describe.h"

#include <fmt/format.h>

#include "cli/age.h"
#include "cli/contract_diagnosis.h"
#include "cli/contract_tree.h"
#include "cli/contract_words.h"
#include "cli/rollout_state.h"
#include "controllers/contract/deployment/deployment_view.h"
#include "dialects/capi/names.h"

namespace millwright::cli {

namespace capi = dialects::capi;
namespace contract = controllers::contract;

namespace {

std::string Title(std::string_view kind, const capi::Header& object) {
  return fmt::format("{} {}", kind, object.meta.key.ToString());
}

std::string Question(bool deleting, bool scaled_wrong) {
  if (deleting) return "Why it is not gone";
  return scaled_wrong ? "Why it is not scaled" : "Why it is not ready";
}

std::string Counts(int wished, int there, int ready, int available) {
  return fmt::format("{} wished, {} there, {} ready, {} available", wished, there, ready,
                     available);
}

std::string NumberOrNone(std::int64_t number) { return number == 0 ? "" : std::to_string(number); }

std::string AgeText(const capi::Header& object, WallTime now) {
  return fmt::format("{}, since {}", AgeSince(object.created, now), FormatTime(object.created));
}

std::string ReferenceText(const capi::Reference& reference) {
  return reference.defined()
             ? fmt::format("{}.{} {}", reference.kind, reference.group, reference.name)
             : "";
}

std::string OwnerText(const capi::Header& object) {
  for (const kube::OwnerReference& owner : object.owners) {
    if (owner.IsController()) return owner.kind + " " + owner.name;
  }
  return "";
}

std::string EndpointText(const capi::ClusterRecord& cluster) {
  return cluster.endpoint_host.empty()
             ? ""
             : fmt::format("{}:{}", cluster.endpoint_host, cluster.endpoint_port);
}

std::string NodeText(const capi::MachineRecord& machine) {
  if (machine.status.node.empty()) return "";
  return fmt::format("{}, {}", machine.status.node, NodeStateOf(machine).word);
}

}  // namespace

Description Describe(const ContractSeen& seen, const capi::ClusterRecord& cluster, WallTime now) {
  return {.title = Title(capi::kClusterKind, cluster),
          .facts = {{"Status", StateOf(cluster).word},
                    {"Endpoint", EndpointText(cluster)},
                    {"Infrastructure", ReferenceText(cluster.infrastructure)},
                    {"Control plane", ReferenceText(cluster.control_plane)},
                    {"Age", AgeText(cluster, now)}},
          .question = Question(cluster.deleting(), false),
          .all_well = "It is provisioned, and so are all of its machines.",
          .causes = WhyNot(seen, cluster, now),
          .conditions = AsShown(cluster.status.conditions),
          .tree = ContractItem(seen, cluster, false),
          .events = {}};
}

Description Describe(const ContractSeen& seen, const capi::DeploymentRecord& deployment,
                     WallTime now) {
  const dialects::DeploymentRecord shown = AsShown(deployment);
  const RolloutState state = StateOf(shown);
  const core::DeploymentCounts& counts = shown.seen;
  const bool only_paused = state.word == "Paused" && state.sentence.empty();
  const bool scaled_wrong = counts.replicas != shown.core.replicas;
  return {.title = Title(capi::kDeploymentKind, deployment),
          .facts = {{"Status", state.word},
                    {"Cluster", deployment.spec.cluster},
                    {"Machines",
                     Counts(shown.core.replicas, counts.replicas, counts.ready, counts.available)},
                    {"Up to date", fmt::format("{} of {}", counts.updated, counts.replicas)},
                    {"Strategy", StrategyText(shown.core)},
                    {"Version", deployment.spec.machine_template.spec.version},
                    {"Revision", NumberOrNone(shown.revision)},
                    {"Age", AgeText(deployment, now)}},
          .question = only_paused ? "Why changes are not rolled out"
                                  : Question(deployment.deleting(), scaled_wrong),
          .all_well = "All of its machines are up to date and available.",
          .causes = WhyNot(seen, deployment, now),
          .conditions = AsShown(deployment.status.conditions),
          .tree = ContractItem(seen, deployment, false),
          .events = {}};
}

Description Describe(const ContractSeen& seen, const capi::SetRecord& set, WallTime now) {
  const int wished = set.spec.replicas.value_or(0);
  const int there = set.status.replicas.value_or(0);
  return {.title = Title(capi::kSetKind, set),
          .facts = {{"Machines", Counts(wished, there, set.status.ready.value_or(0),
                                        set.status.available.value_or(0))},
                    {"Cluster", set.spec.cluster},
                    {"Owner", OwnerText(set)},
                    {"Version", set.spec.machine_template.spec.version},
                    {"Revision", NumberOrNone(contract::RevisionOf(set))},
                    {"Age", AgeText(set, now)}},
          .question = Question(set.deleting(), there != wished),
          .all_well = "It has as many machines as it should, and all of them are ready.",
          .causes = WhyNot(seen, set, now),
          .conditions = AsShown(set.status.conditions),
          .tree = ContractItem(seen, set, nullptr, false),
          .events = {}};
}

Description Describe(const ContractSeen& seen, const capi::MachineRecord& machine, WallTime now) {
  std::string status = StateOf(machine).word;
  if (machine.status.last_updated) {
    status += fmt::format(" for {}", AgeSince(*machine.status.last_updated, now));
  }
  return {.title = Title(capi::kMachineKind, machine),
          .facts = {{"Status", std::move(status)},
                    {"Cluster", machine.spec.cluster},
                    {"Owner", OwnerText(machine)},
                    {"Version", machine.spec.version},
                    {"Infrastructure", ReferenceText(machine.spec.infrastructure)},
                    {"Bootstrap", ReferenceText(machine.spec.bootstrap)},
                    {"Failure domain", machine.status.failure_domain},
                    {"Instance", machine.spec.provider_id},
                    {"Node", NodeText(machine)},
                    {"Age", AgeText(machine, now)}},
          .question = Question(machine.deleting(), false),
          .all_well = "It is running.",
          .causes = WhyNot(seen, machine, now),
          .conditions = AsShown(machine.status.conditions),
          .tree = ContractItem(seen, machine, true),
          .events = {}};
}

}  // namespace millwright::cli
