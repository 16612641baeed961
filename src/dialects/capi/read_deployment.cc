#include "dialects/capi/read.h"
#include "dialects/capi/read_header.h"
#include "dialects/capi/read_parts.h"
#include "dialects/capi/read_spec.h"
#include "dialects/capi/read_template.h"

namespace millwright::dialects::capi {

using kube::ForEachField;
using kube::JsonObject;
using kube::JsonValue;
using kube::ReadInto;

namespace {

Result<void> ReadStrategy(JsonValue value, DeploymentSpec& spec) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "type") return ReadInto(field, spec.strategy);
    if (key != "rollingUpdate") return {};
    return ForEachField(field, [&](std::string_view name, JsonValue amount) -> Result<void> {
      if (name == "maxSurge") {
        return ReadAmount(amount, "spec.rollout.strategy.rollingUpdate.maxSurge", spec.max_surge,
                          spec.amount_problem);
      }
      if (name == "maxUnavailable") {
        return ReadAmount(amount, "spec.rollout.strategy.rollingUpdate.maxUnavailable",
                          spec.max_unavailable, spec.amount_problem);
      }
      return {};
    });
  });
}

Result<void> ReadRollout(JsonValue value, DeploymentSpec& spec) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "after") return ReadInto(field, spec.rollout_after);
    if (key == "strategy") return ReadStrategy(field, spec);
    return {};
  });
}

Result<void> ReadRemediation(JsonValue value, DeploymentSpec& spec) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key != "maxInFlight") return {};
    return ReadAmount(field, "spec.remediation.maxInFlight", spec.max_in_flight,
                      spec.amount_problem);
  });
}

Result<void> ReadSpec(JsonValue value, DeploymentRecord& deployment, kube::TextPool& texts) {
  DeploymentSpec& spec = deployment.spec;
  PlainSelector selector = NoSelector();
  CHECK_OK(ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "clusterName") return ReadInto(field, spec.cluster);
    if (key == "replicas") return ReadInto(field, spec.replicas);
    if (key == "rollout") return ReadRollout(field, spec);
    if (key == "selector") return ReadPlainSelector(field, selector);
    if (key == "template") {
      return ReadWholeTemplate(field, texts, deployment.template_text, spec.machine_template);
    }
    if (key == "machineNaming") return ReadNaming(field, spec.naming);
    if (key == "remediation") return ReadRemediation(field, spec);
    if (key == "deletion") return ReadOrder(field, spec.order);
    if (key == "paused") return ReadInto(field, spec.paused);
    return {};
  }));
  TakeSelector(std::move(selector), spec);
  return {};
}

Result<void> ReadDeprecated(JsonValue value, DeploymentStatus& status, kube::TextPool& texts) {
  return ForEachDeprecated(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "conditions") return ReadLegacyConditions(field, texts, status.legacy_conditions);
    if (key == "updatedReplicas") return ReadInto(field, status.legacy_updated);
    if (key == "readyReplicas") return ReadInto(field, status.legacy_ready);
    if (key == "availableReplicas") return ReadInto(field, status.legacy_available);
    if (key == "unavailableReplicas") return ReadInto(field, status.legacy_unavailable);
    return {};
  });
}

Result<void> ReadStatus(JsonValue value, DeploymentStatus& status, kube::TextPool& texts) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "conditions") return ReadConditions(field, texts, status.conditions);
    if (key == "selector") return ReadInto(field, status.selector);
    if (key == "replicas") return ReadInto(field, status.replicas);
    if (key == "readyReplicas") return ReadInto(field, status.ready);
    if (key == "availableReplicas") return ReadInto(field, status.available);
    if (key == "upToDateReplicas") return ReadInto(field, status.up_to_date);
    if (key == "versions") return ReadVersionCounts(field, status.versions);
    if (key == "phase") return ReadInto(field, status.phase);
    if (key == "observedGeneration") return ReadInto(field, status.observed_generation);
    if (key == "deprecated") return ReadDeprecated(field, status, texts);
    return {};
  });
}

}  // namespace

Result<DeploymentRecord> Reader::Deployment(JsonObject object) {
  DeploymentRecord deployment;
  TakeSelector(NoSelector(), deployment.spec);
  CHECK_OK(ForEachField(object, [&](std::string_view key, JsonValue value) -> Result<void> {
    if (key == "metadata") return ReadHeader(value, deployment, texts_);
    if (key == "spec") return ReadSpec(value, deployment, texts_);
    if (key == "status") return ReadStatus(value, deployment.status, texts_);
    return {};
  }));
  return deployment;
}

}  // namespace millwright::dialects::capi
