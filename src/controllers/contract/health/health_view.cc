#include "controllers/contract/health/health_view.h"

#include "dialects/capi/names.h"
#include "dialects/capi/status/set_condition.h"
#include "dialects/capi/status/words.h"

namespace millwright::controllers::contract {

namespace annotations = capi::annotations;
namespace types = capi::types;

namespace {

std::optional<WallTime> TrueSince(const capi::Conditions& conditions, std::string_view type) {
  const capi::Condition* found = capi::Find(conditions, type);
  if (found == nullptr || found->status != capi::Truth::kTrue) return std::nullopt;
  return found->since;
}

std::vector<core::ConditionCheck> CheckList(const std::vector<capi::UnhealthyCondition>& wished) {
  std::vector<core::ConditionCheck> checks;
  for (const capi::UnhealthyCondition& condition : wished) {
    checks.push_back({.type = condition.type,
                      .status = condition.status,
                      .timeout = std::chrono::seconds(condition.timeout_seconds)});
  }
  return checks;
}

}  // namespace

core::Checks ChecksOf(const capi::HealthCheckRecord& check) {
  constexpr int kUsualStartupSeconds = 600;
  return {.node = CheckList(check.node_conditions),
          .machine = CheckList(check.machine_conditions),
          .startup =
              std::chrono::seconds(check.startup_timeout_seconds.value_or(kUsualStartupSeconds))};
}

Result<core::GatePolicy> GateOf(const capi::HealthCheckRecord& check) {
  core::GatePolicy policy;
  if (!check.range.empty()) {
    TRY(policy.range, core::ParseUnhealthyRange(check.range));
    return policy;
  }
  if (!check.at_most_problem.empty()) return Fail(ErrorKind::kInvalid, check.at_most_problem);
  if (check.at_most) policy.at_most = *check.at_most;
  return policy;
}

bool IsTarget(const capi::HealthCheckRecord& check, const capi::MachineRecord& machine) {
  return machine.spec.cluster == check.cluster && check.selector_problem.empty() &&
         check.selector.Matches(machine.labels) &&
         !machine.annotations.contains(annotations::kPaused) &&
         !machine.annotations.contains(annotations::kSkipRemediation);
}

core::Verdict Judge(const JudgedMachine& judged, const core::Checks& checks,
                    const HealthSightings& sightings, WallTime now) {
  const capi::MachineRecord& machine = *judged.machine;
  const capi::Conditions& cluster = judged.cluster->status.conditions;
  const core::StartupFacts startup{
      .created = sightings.Created(machine.meta.uid, machine.created),
      .is_control_plane = machine.labels.contains(capi::labels::kControlPlane),
      .cluster_infrastructure_ready = TrueSince(cluster, types::kInfrastructureReady),
      .control_plane_initialized = TrueSince(cluster, types::kControlPlaneInitialized),
      .infrastructure_ready = TrueSince(machine.status.conditions, types::kInfrastructureReady)};
  core::CheckedMachine view{
      .must_be_remediated = machine.annotations.contains(annotations::kRemediate),
      .failed = false,
      .deleting = machine.deleting(),
      .can_be_judged = core::CanBeJudged(startup),
      .expects_node = judged.nodes_known && !machine.status.node.empty(),
      .startup_began = core::StartupBegan(startup),
      .node = {},
      .conditions = {}};
  if (judged.node != nullptr) {
    view.node = judged.node->conditions.list();
    sightings.Correct(judged.node->meta.uid, *view.node);
  }
  for (const capi::Condition& condition : machine.status.conditions) {
    view.conditions.push_back({.type = condition.type,
                               .status = std::string(capi::ToString(condition.status)),
                               .since = condition.since,
                               .reason = condition.reason,
                               .message = condition.message});
  }
  sightings.Correct(machine.meta.uid, view.conditions);
  return core::JudgeMachine(view, checks, now);
}

}  // namespace millwright::controllers::contract
