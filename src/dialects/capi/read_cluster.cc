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

Result<void> ReadEndpoint(JsonValue value, ClusterRecord& cluster) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "host") return ReadInto(field, cluster.endpoint_host);
    if (key == "port") return ReadInto(field, cluster.endpoint_port);
    return {};
  });
}

// An empty topology is none: what is not written is not written as {}.
Result<void> ReadTopology(JsonValue value, ClusterRecord& cluster) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    cluster.topology = true;
    return key == "version" ? ReadInto(field, cluster.topology_version) : Result<void>();
  });
}

Result<void> ReadSpec(JsonValue value, ClusterRecord& cluster) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "paused") return ReadInto(field, cluster.paused);
    if (key == "controlPlaneEndpoint") return ReadEndpoint(field, cluster);
    if (key == "infrastructureRef") return ReadReference(field, cluster.infrastructure);
    if (key == "controlPlaneRef") return ReadReference(field, cluster.control_plane);
    if (key == "topology") return ReadTopology(field, cluster);
    if (key == "availabilityGates") {
      return ForEachItem(field, [&](JsonValue item) {
        return ReadGate(item, cluster.availability_gates.emplace_back());
      });
    }
    return {};
  });
}

Result<void> ReadInitialization(JsonValue value, ClusterStatus& status) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "infrastructureProvisioned") {
      return ReadInto(field, status.infrastructure_provisioned);
    }
    if (key == "controlPlaneInitialized") return ReadInto(field, status.control_plane_initialized);
    return {};
  });
}

Result<void> ReadCounts(JsonValue value, ReplicaCounts& counts) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "desiredReplicas") return ReadInto(field, counts.desired);
    if (key == "replicas") return ReadInto(field, counts.replicas);
    if (key == "readyReplicas") return ReadInto(field, counts.ready);
    if (key == "availableReplicas") return ReadInto(field, counts.available);
    if (key == "upToDateReplicas") return ReadInto(field, counts.up_to_date);
    return {};
  });
}

Result<void> ReadStatus(JsonValue value, ClusterStatus& status, kube::TextPool& texts) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "conditions") return ReadConditions(field, texts, status.conditions);
    if (key == "initialization") return ReadInitialization(field, status);
    if (key == "failureDomains") return ReadCanonical(field, texts, status.failure_domains);
    if (key == "controlPlane") return ReadCounts(field, status.control_plane);
    if (key == "workers") return ReadCounts(field, status.workers);
    if (key == "phase") return ReadInto(field, status.phase);
    if (key == "observedGeneration") return ReadInto(field, status.observed_generation);
    if (key != "deprecated") return {};
    return ForEachDeprecated(field, [&](std::string_view name, JsonValue part) -> Result<void> {
      return name == "conditions" ? ReadLegacyConditions(part, texts, status.legacy_conditions)
                                  : Result<void>();
    });
  });
}

}  // namespace

Result<ClusterRecord> Reader::Cluster(JsonObject object) {
  ClusterRecord cluster;
  CHECK_OK(ForEachField(object, [&](std::string_view key, JsonValue value) -> Result<void> {
    if (key == "metadata") return ReadHeader(value, cluster, texts_);
    if (key == "spec") return ReadSpec(value, cluster);
    if (key == "status") return ReadStatus(value, cluster.status, texts_);
    return {};
  }));
  return cluster;
}

}  // namespace millwright::dialects::capi
