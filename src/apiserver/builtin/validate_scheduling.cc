#include <boost/json.hpp>

#include "apiserver/builtin/validate_pod.h"

namespace millwright::apiserver::builtin {

namespace json = boost::json;

namespace {

void CheckOperator(const At& toleration, Faults& faults) {
  const At op = toleration["operator"];
  const At value = toleration["value"];
  if (op.Text() == "Equal" || op.IsEmpty()) {
    for (const auto& complaint : kube::CheckLabelValue(value.Text())) {
      faults.Invalid(op, json::value(value.Text()), complaint);
    }
  } else if (op.Text() == "Exists") {
    if (!value.IsEmpty()) {
      faults.Invalid(op, value.value(), "value must be empty when `operator` is 'Exists'");
    }
  } else {
    faults.NotSupported(op, {"Equal", "Exists"});
  }
}

void CheckToleration(const At& toleration, Faults& faults) {
  const At key = toleration["key"];
  const At op = toleration["operator"];
  if (!key.IsEmpty()) faults.Invalid(key, kube::CheckQualifiedName(key.Text()));
  if (key.IsEmpty() && op.Text() != "Exists") {
    faults.Invalid(op, json::value(op.Text()),
                   "operator must be Exists when `key` is empty, which means \"match all values "
                   "and all keys\"");
  }
  const At effect = toleration["effect"];
  if (toleration["tolerationSeconds"].IsSet() && effect.Text() != "NoExecute") {
    faults.Invalid(effect, json::value(effect.Text()),
                   "effect must be 'NoExecute' when `tolerationSeconds` is set");
  }
  CheckOperator(toleration, faults);
  if (!effect.IsEmpty()) {
    CheckOneOf(effect, {"NoSchedule", "PreferNoSchedule", "NoExecute"}, faults);
  }
}

void CheckTopologyKey(const At& term, Faults& faults) {
  const At key = term["topologyKey"];
  if (key.IsEmpty()) faults.Required(key, "can not be empty");
  faults.Invalid(key, kube::CheckQualifiedName(key.Text()));
}

void CheckPodAffinity(const At& affinity, Faults& faults) {
  for (const At& term : affinity["requiredDuringSchedulingIgnoredDuringExecution"].Items()) {
    if (term["labelSelector"].IsSet()) CheckLabelSelector(term["labelSelector"], faults);
    CheckTopologyKey(term, faults);
  }
  for (const At& weighted : affinity["preferredDuringSchedulingIgnoredDuringExecution"].Items()) {
    const std::int64_t weight = weighted["weight"].Number().value_or(0);
    if (weight < 1 || weight > 100) {
      faults.Invalid(weighted["weight"], "must be in the range 1-100");
    }
    CheckTopologyKey(weighted["podAffinityTerm"], faults);
  }
}

void CheckNodeAffinity(const At& affinity, Faults& faults) {
  const At required = affinity["requiredDuringSchedulingIgnoredDuringExecution"];
  if (required.IsSet() && required["nodeSelectorTerms"].Size() == 0) {
    faults.Required(required["nodeSelectorTerms"], "must have at least one node selector term");
  }
}

void CheckSpread(const At& constraint, Faults& faults) {
  if (constraint["maxSkew"].Number().value_or(0) <= 0) {
    faults.Invalid(constraint["maxSkew"], "must be greater than zero");
  }
  if (constraint["topologyKey"].IsEmpty()) {
    faults.Required(constraint["topologyKey"], "can not be empty");
  }
  const At otherwise = constraint["whenUnsatisfiable"];
  if (otherwise.Text() != "DoNotSchedule" && otherwise.Text() != "ScheduleAnyway") {
    faults.NotSupported(otherwise, {"DoNotSchedule", "ScheduleAnyway"});
  }
}

}  // namespace

void CheckTolerations(const At& tolerations, Faults& faults) {
  for (const At& toleration : tolerations.Items()) CheckToleration(toleration, faults);
}

void CheckScheduling(const At& spec, Faults& faults) {
  CheckLabels(spec["nodeSelector"], faults);
  CheckNodeAffinity(spec["affinity"]["nodeAffinity"], faults);
  CheckPodAffinity(spec["affinity"]["podAffinity"], faults);
  CheckPodAffinity(spec["affinity"]["podAntiAffinity"], faults);
  for (const At& constraint : spec["topologySpreadConstraints"].Items()) {
    CheckSpread(constraint, faults);
  }
  CheckTolerations(spec["tolerations"], faults);
}

}  // namespace millwright::apiserver::builtin
