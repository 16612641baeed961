#include "dialects/capi/names.h"
#include "dialects/capi/read.h"
#include "dialects/capi/read_header.h"
#include "dialects/capi/read_parts.h"
#include "dialects/capi/read_spec.h"

namespace millwright::dialects::capi {

using kube::ForEachField;
using kube::JsonObject;
using kube::JsonValue;
using kube::ReadInto;

namespace {

Result<void> ReadInitialization(JsonValue value, MachineStatus& status) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "infrastructureProvisioned") {
      return ReadInto(field, status.infrastructure_provisioned);
    }
    if (key == "bootstrapDataSecretCreated") return ReadInto(field, status.data_secret_created);
    return {};
  });
}

Result<void> ReadDeletionTimes(JsonValue value, DeletionTimes& times) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "nodeDrainStartTime") return ReadInto(field, times.drain);
    if (key == "waitForNodeVolumeDetachStartTime") return ReadInto(field, times.volumes);
    if (key == "waitForPreDrainHookStartTime") return ReadInto(field, times.pre_drain_hook);
    if (key == "waitForPreTerminateHookStartTime") {
      return ReadInto(field, times.pre_terminate_hook);
    }
    return {};
  });
}

Result<void> ReadDeprecated(JsonValue value, MachineStatus& status, kube::TextPool& texts) {
  return ForEachDeprecated(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "conditions") return ReadLegacyConditions(field, texts, status.legacy_conditions);
    if (key == "failureReason") return ReadInto(field, status.legacy_failure_reason);
    if (key == "failureMessage") return ReadInto(field, status.legacy_failure_message);
    return {};
  });
}

Result<void> ReadNodeName(JsonValue value, std::string& target) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    return key == "name" ? ReadInto(field, target) : Result<void>();
  });
}

Result<void> ReadStatus(JsonValue value, MachineStatus& status, kube::TextPool& texts) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "conditions") return ReadConditions(field, texts, status.conditions);
    if (key == "initialization") return ReadInitialization(field, status);
    if (key == "nodeRef") return ReadNodeName(field, status.node);
    if (key == "nodeInfo") return ReadCanonical(field, texts, status.node_info);
    if (key == "lastUpdated") return ReadInto(field, status.last_updated);
    if (key == "addresses") return ReadCanonical(field, texts, status.addresses);
    if (key == "failureDomain") return ReadInto(field, status.failure_domain);
    if (key == "phase") return ReadInto(field, status.phase);
    if (key == "certificatesExpiryDate") return ReadInto(field, status.certificates_expiry);
    if (key == "observedGeneration") return ReadInto(field, status.observed_generation);
    if (key == "deletion") return ReadDeletionTimes(field, status.deletion);
    if (key == "deprecated") return ReadDeprecated(field, status, texts);
    return {};
  });
}

}  // namespace

Result<MachineRecord> Reader::Machine(JsonObject object) {
  MachineRecord machine;
  CHECK_OK(ForEachField(object, [&](std::string_view key, JsonValue value) -> Result<void> {
    if (key == "metadata") {
      return ReadHeader(value, machine, texts_, {{managers::kSet, &machine.applied}});
    }
    if (key == "spec") return ReadMachineSpec(value, machine.spec);
    if (key == "status") return ReadStatus(value, machine.status, texts_);
    return {};
  }));
  return machine;
}

Result<kube::SharedText> Reader::Canonical(std::string_view json) {
  return CanonicalText(json, texts_);
}

}  // namespace millwright::dialects::capi
