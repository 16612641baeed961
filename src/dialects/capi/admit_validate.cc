#include <fmt/format.h>
#include <boost/json/array.hpp>

#include "dialects/capi/admit.h"
#include "dialects/capi/admit_checks.h"
#include "dialects/capi/json_path.h"
#include "dialects/capi/names.h"
#include "kube/api/json_text.h"
#include "kube/api/names.h"

namespace millwright::dialects::capi {

namespace json = boost::json;
using kube::InvalidError;
using kube::RequiredError;

namespace {

constexpr int kLeastStartupSeconds = 30;
constexpr std::string_view kPoolKind = "MachinePool";

// Machines of pools get their configuration from the pool.
bool IsOfPool(const json::object& machine) {
  if (TextsAt(machine, "metadata.labels").contains(labels::kPool)) return true;
  const json::value* owners = FindPath(machine, "metadata.ownerReferences");
  if (owners == nullptr || !owners->is_array()) return false;
  for (const json::value& owner : owners->get_array()) {
    if (kube::GetString(owner, "kind") == kPoolKind) return true;
  }
  return false;
}

void ValidateMachine(const json::object& machine, const AdmissionGates& gates,
                     FieldErrorList& errors) {
  if (!IsOfPool(machine)) CheckBootstrap(machine, "spec", errors);
  CheckVersion(machine, "spec.version", errors);
  const bool worker = !TextsAt(machine, "metadata.labels").contains(labels::kControlPlane);
  CheckTaints(machine, "spec", {.allowed = gates.taints, .worker = worker}, errors);
}

// What sets and deployments have alike.
void ValidateTemplate(const json::object& object, const AdmissionGates& gates,
                      FieldErrorList& errors) {
  CheckBootstrap(object, "spec.template.spec", errors);
  CheckSelectsTemplate(object, errors);
  if (gates.preflight) CheckSkippedPreflight(object, errors);
  CheckTemplateCluster(object, errors);
  CheckVersion(object, "spec.template.spec.version", errors);
  CheckNaming(object, errors);
  CheckTaints(object, "spec.template.spec", {.allowed = gates.taints, .worker = true}, errors);
  CheckTemplateMetadata(object, errors);
}

bool IsZeroNumber(const json::object& object, std::string_view path) {
  const json::value* value = FindPath(object, path);
  return value != nullptr && value->is_int64() && value->get_int64() == 0;
}

void ValidateDeployment(const json::object& deployment, const AdmissionGates& gates,
                        FieldErrorList& errors) {
  const std::string_view name = TextAtPath(deployment, "metadata.name");
  for (const std::string& complaint : kube::CheckLabelValue(name)) {
    errors.push_back(InvalidError("metadata.name", json::value(name), complaint));
  }
  constexpr std::string_view kSurge = "spec.rollout.strategy.rollingUpdate.maxSurge";
  constexpr std::string_view kUnavailable = "spec.rollout.strategy.rollingUpdate.maxUnavailable";
  CheckAmount(deployment, kSurge, errors);
  CheckAmount(deployment, kUnavailable, errors);
  if (IsZeroNumber(deployment, kSurge) && IsZeroNumber(deployment, kUnavailable)) {
    errors.push_back(
        InvalidError(std::string(kUnavailable), json::value(0),
                     "must not be 0 when maxSurge is 0: no machine could be replaced"));
  }
  CheckAmount(deployment, "spec.remediation.maxInFlight", errors);
  ValidateTemplate(deployment, gates, errors);
}

void ValidateHealthCheck(const json::object& check, FieldErrorList& errors) {
  const size_t before = errors.size();
  const kube::LabelSelector selector = CheckSelector(check, "spec.selector", errors);
  if (errors.size() == before && selector.IsEverything()) {
    errors.push_back(RequiredError("spec.selector", "must not be empty"));
  }
  const std::string_view cluster = TextAtPath(check, "spec.clusterName");
  const kube::Labels labels = TextsAt(check, "spec.selector.matchLabels");
  const auto named = labels.find(labels::kCluster);
  if (named != labels.end() && named->second != cluster) {
    errors.push_back(InvalidError(
        "spec.selector.matchLabels", json::value(named->second),
        fmt::format("label {} must be the cluster \"{}\"", labels::kCluster, cluster)));
  }
  constexpr std::string_view kStartup = "spec.checks.nodeStartupTimeoutSeconds";
  const json::value* startup = FindPath(check, kStartup);
  if (startup != nullptr && startup->is_int64() && startup->get_int64() != 0 &&
      startup->get_int64() < kLeastStartupSeconds) {
    errors.push_back(InvalidError(std::string(kStartup), *startup,
                                  fmt::format("must be 0 or at least {}", kLeastStartupSeconds)));
  }
  CheckAmount(check, "spec.remediation.triggerIf.unhealthyLessThanOrEqualTo", errors);
}

void CheckEntries(const json::object& rule, std::string_view list_path, std::string_view second,
                  FieldErrorList& errors) {
  const json::value* list = FindPath(rule, list_path);
  if (list == nullptr || !list->is_array()) return;
  for (size_t index = 0; index < list->get_array().size(); ++index) {
    const json::object* entry = list->get_array()[index].if_object();
    if (entry == nullptr) continue;
    for (const std::string_view name : {std::string_view("selector"), second}) {
      FieldErrorList found;
      CheckSelector(*entry, name, found);
      for (kube::FieldError& error : found) {
        error.field = fmt::format("{}[{}].{}", list_path, index, error.field);
        errors.push_back(std::move(error));
      }
    }
  }
}

void ValidateDrainRule(const json::object& rule, FieldErrorList& errors) {
  const json::value* order = FindPath(rule, "spec.drain.order");
  const bool ordered = order != nullptr && !order->is_null();
  if (ordered && TextAtPath(rule, "spec.drain.behavior") != "Drain") {
    errors.push_back(InvalidError("spec.drain.order", *order,
                                  "can be set only if spec.drain.behavior is Drain"));
  }
  CheckEntries(rule, "spec.machines", "clusterSelector", errors);
  CheckEntries(rule, "spec.pods", "namespaceSelector", errors);
}

// An object that became invalid, by a gate that was turned off for instance, must be able to go.
bool IsLetGo(const json::object& object, const json::object* old) {
  if (old == nullptr || FindPath(object, "metadata.deletionTimestamp") == nullptr) return false;
  const json::value* spec = object.if_contains("spec");
  const json::value* before = old->if_contains("spec");
  return spec != nullptr && before != nullptr && *spec == *before;
}

}  // namespace

std::vector<kube::FieldError> Validate(std::string_view kind, const json::object& object,
                                       const json::object* old, const AdmissionGates& gates) {
  FieldErrorList errors;
  if (IsLetGo(object, old)) return errors;
  if (kind == kClusterKind) CheckCluster(object, old, errors);
  if (kind != kDrainRuleKind && kind != kClusterKind) CheckClusterName(object, old, errors);
  if (kind == kMachineKind) ValidateMachine(object, gates, errors);
  if (kind == kSetKind) ValidateTemplate(object, gates, errors);
  if (kind == kDeploymentKind) ValidateDeployment(object, gates, errors);
  if (kind == kHealthCheckKind) ValidateHealthCheck(object, errors);
  if (kind == kDrainRuleKind) ValidateDrainRule(object, errors);
  return errors;
}

}  // namespace millwright::dialects::capi
