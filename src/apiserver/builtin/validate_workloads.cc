// Deployments and the other sets of pods.
#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "apiserver/builtin/validate_kinds.h"
#include "apiserver/builtin/validate_pod.h"
#include "kube/api/labels.h"

namespace millwright::apiserver::builtin {

namespace json = boost::json;

namespace {

bool SelectsTemplate(const At& selector, const At& labels) {
  const auto decoded = kube::DecodeLabelSelector(selector.value());
  if (!decoded) return true;  // said elsewhere
  kube::Labels pairs;
  for (const auto& [key, value] : labels.Members()) pairs.emplace(key, value.Text());
  return decoded->Matches(pairs);
}

void CheckSelectsTemplate(const At& spec, Faults& faults) {
  const At labels = spec["template"]["metadata"]["labels"];
  if (SelectsTemplate(spec["selector"], labels)) return;
  faults.Invalid(labels, "`selector` does not match template `labels`");
}

// A set keeps its pods running for ever.
void CheckRunsForEver(const At& pod_spec, Faults& faults, std::string_view kind = "ReplicaSet") {
  const std::string_view policy = pod_spec["restartPolicy"].Text();
  const bool known = policy == "Always" || policy == "OnFailure" || policy == "Never";
  if (known && policy != "Always") faults.NotSupported(pod_spec["restartPolicy"], {"Always"});
  if (pod_spec["activeDeadlineSeconds"].IsSet()) {
    faults.Forbidden(pod_spec["activeDeadlineSeconds"],
                     fmt::format("activeDeadlineSeconds in {} is not Supported", kind));
  }
}

// Empty selectors would take the pods of others.
void CheckSelector(const At& selector, std::string_view kind, Faults& faults) {
  if (!selector.IsSet()) return faults.Required(selector);
  CheckLabelSelector(selector, faults);
  if (selector["matchLabels"].Size() == 0 && selector["matchExpressions"].Size() == 0) {
    faults.Invalid(selector, json::value(json::object()),
                   fmt::format("empty selector is invalid for {}", kind));
  }
}

// Selector and template of a set; the ones without pods of their own need not match.
void CheckSet(const At& spec, std::string_view kind, Faults& faults) {
  CheckSelector(spec["selector"], kind, faults);
  CheckSelectsTemplate(spec, faults);
  CheckPodTemplate(spec["template"], faults);
  CheckRunsForEver(spec["template"]["spec"], faults);
}

int Percent(const At& at) {
  std::string_view text = at.Text();
  if (!text.ends_with('%')) return 0;
  text.remove_suffix(1);
  int percent = 0;
  std::from_chars(text.data(), text.data() + text.size(), percent);
  return percent;
}

bool IsZeroShare(const At& at) {
  return at.value().is_string() ? Percent(at) == 0 : at.Number().value_or(0) == 0;
}

void CheckAtMostAll(const At& at, Faults& faults) {
  if (Percent(at) > 100) faults.Invalid(at, "must not be greater than 100%");
}

std::string StrategyText(const At& strategy) {
  return GoStructText({{"Type", strategy["type"]}, {"RollingUpdate", strategy["rollingUpdate"]}});
}

void UnknownStrategy(const At& strategy, std::string detail, Faults& faults) {
  faults.Add({.type = kube::FieldErrorType::kNotSupported,
              .field = strategy.path(),
              .bad_value = StrategyText(strategy),
              .detail = std::move(detail)});
}

void CheckDeploymentStrategy(const At& strategy, Faults& faults) {
  const std::string_view type = strategy["type"].Text();
  const At rolling = strategy["rollingUpdate"];
  if (type == "Recreate") {
    if (rolling.IsSet()) {
      faults.Forbidden(rolling, "may not be specified when strategy `type` is 'Recreate'");
    }
  } else if (type != "RollingUpdate") {
    UnknownStrategy(strategy, R"(supported values: "Recreate", "RollingUpdate")", faults);
  } else {
    CheckIntOrPercent(rolling["maxUnavailable"], faults);
    CheckIntOrPercent(rolling["maxSurge"], faults);
    const bool odd = rolling["maxSurge"].value().is_string() && Percent(rolling["maxSurge"]) == 0;
    if (!odd && IsZeroShare(rolling["maxUnavailable"]) && IsZeroShare(rolling["maxSurge"])) {
      faults.Invalid(rolling["maxUnavailable"], "may not be 0 when `maxSurge` is 0");
    }
    CheckAtMostAll(rolling["maxUnavailable"], faults);
  }
}

void CheckDaemonSetStrategy(const At& strategy, Faults& faults) {
  const std::string_view type = strategy["type"].Text();
  if (type == "OnDelete") return;
  if (type != "RollingUpdate") {
    return UnknownStrategy(strategy, R"(supported values: "RollingUpdate", "OnDelete")", faults);
  }
  const At rolling = strategy["rollingUpdate"];
  const At unavailable = rolling["maxUnavailable"];
  const At surge = rolling["maxSurge"];
  CheckIntOrPercent(unavailable, faults);
  CheckIntOrPercent(surge, faults);
  if (!IsZeroShare(unavailable) && !IsZeroShare(surge)) {
    faults.Invalid(surge, "may not be set when maxUnavailable is non-zero");
  }
  if (IsZeroShare(unavailable) && IsZeroShare(surge)) {
    faults.Required(unavailable, "cannot be 0 when maxSurge is 0");
  }
  CheckAtMostAll(unavailable, faults);
}

// A count that cannot be more than another; both are 0 where they are absent.
void CheckNotAbove(const At& status, std::string_view count, std::string_view other,
                   std::string_view other_said, Faults& faults) {
  const std::int64_t number = status[count].Number().value_or(0);
  if (number <= status[other].Number().value_or(0)) return;
  faults.Invalid(status[count], json::value(number),
                 fmt::format("cannot be greater than {}", other_said));
}

void CheckCounts(const At& status, std::initializer_list<std::string_view> counts, Faults& faults) {
  for (const auto count : counts) CheckNotNegative(status[count], faults);
}

void CheckReplicaCounts(const At& status, Faults& faults) {
  CheckCounts(status,
              {"replicas", "fullyLabeledReplicas", "readyReplicas", "availableReplicas",
               "terminatingReplicas", "observedGeneration"},
              faults);
  for (const char* count : {"fullyLabeledReplicas", "readyReplicas", "availableReplicas"}) {
    CheckNotAbove(status, count, "replicas", "status.replicas", faults);
  }
  CheckNotAbove(status, "availableReplicas", "readyReplicas", "readyReplicas", faults);
}

bool HasLabels(const At& labels, const At& wanted) {
  return std::ranges::all_of(wanted.Members(), [&](const auto& pair) {
    return labels.Key(pair.first).IsSet() && Same(labels.Key(pair.first), pair.second);
  });
}

// The spec with what may change taken out.
json::value WithoutChangeables(const At& spec, std::initializer_list<std::string_view> fields) {
  json::value rest = spec.value();
  if (auto* object = rest.if_object()) {
    for (const auto field : fields) object->erase(field);
  }
  return rest;
}

}  // namespace

void ValidateDeployment(const At& object, const At* old, Faults& faults) {
  const At spec = object["spec"];
  CheckNotNegative(spec["replicas"], faults);
  CheckSet(spec, "deployment", faults);
  CheckDeploymentStrategy(spec["strategy"], faults);
  CheckNotNegative(spec["minReadySeconds"], faults);
  CheckNotNegative(spec["revisionHistoryLimit"], faults);
  const At deadline = spec["progressDeadlineSeconds"];
  CheckNotNegative(deadline, faults);
  if (deadline.Number() && *deadline.Number() <= spec["minReadySeconds"].Number().value_or(0)) {
    faults.Invalid(deadline, "must be greater than minReadySeconds");
  }
  if (old == nullptr) return;
  CheckUnchanged(spec["selector"], (*old)["spec"]["selector"], faults);
  const At status = object["status"];
  CheckCounts(status,
              {"observedGeneration", "replicas", "updatedReplicas", "readyReplicas",
               "availableReplicas", "unavailableReplicas", "terminatingReplicas", "collisionCount"},
              faults);
  for (const char* count : {"updatedReplicas", "readyReplicas", "availableReplicas"}) {
    CheckNotAbove(status, count, "replicas", "status.replicas", faults);
  }
  CheckNotAbove(status, "availableReplicas", "readyReplicas", "readyReplicas", faults);
}

void ValidateReplicaSet(const At& object, const At* old, Faults& faults) {
  const At spec = object["spec"];
  CheckNotNegative(spec["replicas"], faults);
  CheckNotNegative(spec["minReadySeconds"], faults);
  CheckSet(spec, "replicaset", faults);
  if (old == nullptr) return;
  CheckUnchanged(spec["selector"], (*old)["spec"]["selector"], faults);
  CheckReplicaCounts(object["status"], faults);
}

// Its selector is labels and nothing else.
void ValidateReplicationController(const At& object, const At* old, Faults& faults) {
  const At spec = object["spec"];
  CheckNotNegative(spec["minReadySeconds"], faults);
  if (spec["selector"].Size() == 0) faults.Required(spec["selector"]);
  CheckNotNegative(spec["replicas"], faults);
  const At pods = spec["template"];
  if (!pods.IsSet()) {
    faults.Required(pods);
  } else {
    const At labels = pods["metadata"]["labels"];
    if (!HasLabels(labels, spec["selector"])) {
      faults.Invalid(labels, "`selector` does not match template `labels`");
    }
    CheckPodTemplate(pods, faults);
    CheckRunsForEver(pods["spec"], faults, "ReplicationController");
  }
  if (old != nullptr) CheckReplicaCounts(object["status"], faults);
}

void ValidateDaemonSet(const At& object, const At* old, Faults& faults) {
  const At spec = object["spec"];
  if (spec["selector"].IsSet()) CheckSelector(spec["selector"], "daemonset", faults);
  CheckSelectsTemplate(spec, faults);
  CheckPodTemplate(spec["template"], faults);
  CheckRunsForEver(spec["template"]["spec"], faults);
  CheckNotNegative(spec["minReadySeconds"], faults);
  CheckDaemonSetStrategy(spec["updateStrategy"], faults);
  CheckNotNegative(spec["revisionHistoryLimit"], faults);
  if (old == nullptr) return;
  CheckUnchanged(spec["selector"], (*old)["spec"]["selector"], faults);
  CheckCounts(object["status"],
              {"currentNumberScheduled", "numberMisscheduled", "desiredNumberScheduled",
               "numberReady", "observedGeneration", "updatedNumberScheduled", "numberAvailable",
               "numberUnavailable", "collisionCount"},
              faults);
}

void ValidateStatefulSet(const At& object, const At* old, Faults& faults) {
  const At spec = object["spec"];
  const At management = spec["podManagementPolicy"];
  if (management.Text() != "OrderedReady" && management.Text() != "Parallel") {
    faults.Invalid(management, "must be 'OrderedReady' or 'Parallel'");
  }
  const At strategy = spec["updateStrategy"];
  if (strategy["type"].Text() == "RollingUpdate") {
    CheckNotNegative(strategy["rollingUpdate"]["partition"], faults);
  } else if (strategy["type"].Text() != "OnDelete") {
    faults.InvalidStruct(strategy, StrategyText(strategy), "must be 'RollingUpdate' or 'OnDelete'");
  }
  CheckNotNegative(spec["replicas"], faults);
  CheckNotNegative(spec["minReadySeconds"], faults);
  CheckSet(spec, "statefulset", faults);
  if (old == nullptr) return;
  const auto changeable = {std::string_view("replicas"),
                           std::string_view("ordinals"),
                           std::string_view("template"),
                           std::string_view("updateStrategy"),
                           std::string_view("revisionHistoryLimit"),
                           std::string_view("persistentVolumeClaimRetentionPolicy"),
                           std::string_view("minReadySeconds")};
  const json::value now = WithoutChangeables(spec, changeable);
  const json::value before = WithoutChangeables((*old)["spec"], changeable);
  if (Same(At(now), At(before))) return;
  faults.Forbidden(spec,
                   "updates to statefulset spec for fields other than 'replicas', 'ordinals', "
                   "'template', 'updateStrategy', 'revisionHistoryLimit', "
                   "'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden");
}

void ValidateControllerRevision(const At& object, const At* old, Faults& faults) {
  if (!object["data"].IsSet()) faults.Required(object["data"], "data is mandatory");
  CheckNotNegative(object["revision"], faults);
  if (old != nullptr) CheckUnchanged(object["data"], (*old)["data"], faults);
}

void ValidateJob(const At& object, const At* old, Faults& faults) {
  const At spec = object["spec"];
  for (const char* count :
       {"parallelism", "completions", "activeDeadlineSeconds", "backoffLimit",
        "ttlSecondsAfterFinished", "backoffLimitPerIndex", "maxFailedIndexes"}) {
    CheckNotNegative(spec[count], faults);
  }
  CheckOneOf(spec["completionMode"], {"NonIndexed", "Indexed"}, faults);
  const bool indexed = spec["completionMode"].Text() == "Indexed";
  if (indexed && !spec["completions"].IsSet()) {
    faults.Required(spec["completions"], "when completion mode is Indexed");
  }
  if (!indexed && spec["backoffLimitPerIndex"].IsSet()) {
    faults.Invalid(spec["backoffLimitPerIndex"], "requires indexed completion mode");
  }
  const At policy = spec["template"]["spec"]["restartPolicy"];
  CheckPodTemplate(spec["template"], faults);
  if (policy.Text() == "Always") {
    faults.Required(policy, R"(valid values: "OnFailure", "Never")");
  }
  if (spec["selector"].IsSet()) CheckLabelSelector(spec["selector"], faults);
  if (!spec["selector"].IsSet()) faults.Required(spec["selector"]);
  const At uid = object["metadata"]["uid"];
  const At selected = spec["selector"]["matchLabels"];
  const bool generated = selected.Size() == 1 &&
                         Same(selected.Key("batch.kubernetes.io/controller-uid"), uid) &&
                         spec["selector"]["matchExpressions"].Size() == 0;
  if (old == nullptr && !spec["manualSelector"].IsTrue() && !generated) {
    faults.Invalid(spec["selector"], "`selector` not auto-generated");
  }
  CheckSelectsTemplate(spec, faults);
  if (old == nullptr) return;
  const At before = (*old)["spec"];
  // The number of an indexed job may follow its parallelism.
  const bool elastic = indexed && Same(spec["completions"], spec["parallelism"]);
  if (!elastic) CheckUnchanged(spec["completions"], before["completions"], faults);
  for (const char* field : {"selector", "completionMode", "podFailurePolicy",
                            "backoffLimitPerIndex", "managedBy", "successPolicy"}) {
    CheckUnchanged(spec[field], before[field], faults);
  }
  if (!before["suspend"].IsTrue()) CheckUnchanged(spec["template"], before["template"], faults);
}

}  // namespace millwright::apiserver::builtin
