#include "dialects/capi/read.h"
#include "dialects/capi/read_header.h"
#include "dialects/capi/read_parts.h"
#include "dialects/capi/read_spec.h"

namespace millwright::dialects::capi {

using kube::ForEachField;
using kube::ForEachItem;
using kube::JsonObject;
using kube::JsonValue;
using kube::ReadInto;

namespace {

Result<void> ReadUnhealthy(JsonValue value, UnhealthyCondition& target) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "type") return ReadInto(field, target.type);
    if (key == "status") return ReadInto(field, target.status);
    if (key == "timeoutSeconds") return ReadInto(field, target.timeout_seconds);
    return {};
  });
}

Result<void> ReadUnhealthyList(JsonValue value, std::vector<UnhealthyCondition>& target) {
  return ForEachItem(value,
                     [&](JsonValue item) { return ReadUnhealthy(item, target.emplace_back()); });
}

Result<void> ReadChecks(JsonValue value, HealthCheckRecord& check) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "nodeStartupTimeoutSeconds") return ReadInto(field, check.startup_timeout_seconds);
    if (key == "unhealthyNodeConditions") return ReadUnhealthyList(field, check.node_conditions);
    if (key == "unhealthyMachineConditions") {
      return ReadUnhealthyList(field, check.machine_conditions);
    }
    return {};
  });
}

Result<void> ReadTrigger(JsonValue value, HealthCheckRecord& check) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "unhealthyLessThanOrEqualTo") {
      return ReadAmount(field, "spec.remediation.triggerIf.unhealthyLessThanOrEqualTo",
                        check.at_most, check.at_most_problem);
    }
    if (key == "unhealthyInRange") return ReadInto(field, check.range);
    return {};
  });
}

// It keeps a version: group and version stand in one field.
Result<void> ReadTemplateRef(JsonValue value, HealthCheckRecord& check) {
  std::string api_version;
  Reference& reference = check.remediation_template;
  CHECK_OK(ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "kind") return ReadInto(field, reference.kind);
    if (key == "name") return ReadInto(field, reference.name);
    if (key == "apiVersion") return ReadInto(field, api_version);
    return {};
  }));
  const size_t slash = api_version.find('/');
  if (slash != std::string::npos) reference.group = api_version.substr(0, slash);
  check.remediation_template_version =
      slash != std::string::npos ? api_version.substr(slash + 1) : api_version;
  return {};
}

Result<void> ReadRemediation(JsonValue value, HealthCheckRecord& check) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "triggerIf") return ReadTrigger(field, check);
    if (key == "templateRef") return ReadTemplateRef(field, check);
    return {};
  });
}

Result<void> ReadSpec(JsonValue value, HealthCheckRecord& check) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "clusterName") return ReadInto(field, check.cluster);
    if (key == "selector") return ReadSelector(field, check.selector, check.selector_problem);
    if (key == "checks") return ReadChecks(field, check);
    if (key == "remediation") return ReadRemediation(field, check);
    return {};
  });
}

Result<void> ReadStatus(JsonValue value, HealthCheckStatus& status, kube::TextPool& texts) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "conditions") return ReadConditions(field, texts, status.conditions);
    if (key == "expectedMachines") return ReadInto(field, status.expected);
    if (key == "currentHealthy") return ReadInto(field, status.healthy);
    if (key == "remediationsAllowed") return ReadInto(field, status.remediations_allowed);
    if (key == "observedGeneration") return ReadInto(field, status.observed_generation);
    if (key == "targets") return ReadInto(field, status.targets);
    if (key != "deprecated") return {};
    return ForEachDeprecated(field, [&](std::string_view name, JsonValue part) -> Result<void> {
      return name == "conditions" ? ReadLegacyConditions(part, texts, status.legacy_conditions)
                                  : Result<void>();
    });
  });
}

}  // namespace

Result<HealthCheckRecord> Reader::HealthCheck(JsonObject object) {
  HealthCheckRecord check;
  CHECK_OK(ForEachField(object, [&](std::string_view key, JsonValue value) -> Result<void> {
    if (key == "metadata") return ReadHeader(value, check, texts_);
    if (key == "spec") return ReadSpec(value, check);
    if (key == "status") return ReadStatus(value, check.status, texts_);
    return {};
  }));
  return check;
}

}  // namespace millwright::dialects::capi
