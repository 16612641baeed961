// Cluster API, as it is simulated: its machines are made by our own provider.
#include <fmt/format.h>
#include <boost/json.hpp>

#include <algorithm>

#include "controllers/supply/kinds.h"
#include "dialects/capi/schema.h"
#include "tests/sim/words.h"

namespace millwright::sim {

namespace json = boost::json;

namespace {

// The cluster, which is there all the time.
constexpr const char* kCluster = R"(
apiVersion: v1
kind: Secret
metadata: {{name: small, namespace: default}}
stringData: {{password: {0}}}
---
apiVersion: v1
kind: Secret
metadata: {{name: sim-kubeconfig, namespace: default, labels: {{cluster.x-k8s.io/cluster-name: sim}}}}
type: cluster.x-k8s.io/secret
stringData: {{value: {0}}}
---
apiVersion: infrastructure.millwright.dev/v1beta1
kind: MillwrightCluster
metadata: {{name: sim, namespace: default}}
spec: {{}}
---
apiVersion: controlplane.millwright.dev/v1beta1
kind: MillwrightControlPlane
metadata: {{name: sim, namespace: default}}
spec: {{}}
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {{name: sim, namespace: default}}
spec:
  controlPlaneEndpoint: {{host: 127.0.0.1, port: 6443}}
  infrastructureRef: {{apiGroup: infrastructure.millwright.dev, kind: MillwrightCluster, name: sim}}
  controlPlaneRef: {{apiGroup: controlplane.millwright.dev, kind: MillwrightControlPlane, name: sim}}
---
apiVersion: bootstrap.millwright.dev/v1beta1
kind: MillwrightBootstrapTemplate
metadata: {{name: small, namespace: default}}
spec: {{template: {{spec: {{userData: "join <<MACHINE_NAME>> with <<BOOTSTRAP_TOKEN>>"}}}}}}
)";

// A rollout goes from one of these to another.
constexpr const char* kTemplate = R"(---
apiVersion: infrastructure.millwright.dev/v1beta1
kind: MillwrightMachineTemplate
metadata: {{name: small-{}, namespace: default}}
spec: {{template: {{spec: {{provider: simulated, providerSpec: {{}}, secretRef: {{name: small}}}}}}}}
)";
constexpr int kTemplates = 4;
constexpr int kFirstTemplate = 1;

constexpr const char* kMachines = R"(---
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineHealthCheck
metadata: {{name: web, namespace: default}}
spec:
  clusterName: sim
  selector: {{matchLabels: {{app: web}}}}
  checks:
    nodeStartupTimeoutSeconds: 1200
    unhealthyNodeConditions:
    - {{type: Ready, status: "False", timeoutSeconds: 300}}
    - {{type: Ready, status: Unknown, timeoutSeconds: 300}}
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata: {{name: web, namespace: default}}
spec:
  clusterName: sim
  replicas: {}
  rollout: {{strategy: {}}}
  selector: {{matchLabels: {{app: web}}}}
  template:
    metadata: {{labels: {{app: web}}}}
    spec:
      clusterName: sim
      bootstrap: {{configRef: {{apiGroup: bootstrap.millwright.dev, kind: MillwrightBootstrapTemplate, name: small}}}}
      infrastructureRef: {{apiGroup: infrastructure.millwright.dev, kind: MillwrightMachineTemplate, name: small-{}}}
      deletion: {{nodeDrainTimeoutSeconds: 7200, nodeVolumeDetachTimeoutSeconds: 600, nodeDeletionTimeoutSeconds: 0}}
{}
{}
)";

std::string Rolling(int surge, int unavailable) {
  return fmt::format("{{type: RollingUpdate, rollingUpdate: {{maxSurge: {}, maxUnavailable: {}}}}}",
                     surge, unavailable);
}

std::string MakeSample(const Sample& sample) {
  std::string text = fmt::format(kCluster, kSecret);
  for (int i = 0; i < kTemplates; ++i) text += fmt::format(kTemplate, i);
  // Without a surge somebody has to be missing meanwhile; a server with webhooks would not take it.
  const int least_missing = sample.surge == 0 ? 1 : 0;
  const std::string strategy =
      sample.strategy.empty() ? Rolling(sample.surge, std::max(sample.unavailable, least_missing))
                              : sample.strategy;
  return text + fmt::format(kMachines, sample.replicas, strategy, kFirstTemplate,
                            sample.more_machine, sample.more_spec);
}

std::string Scaled(int replicas) {
  return fmt::format(R"({{"spec":{{"replicas":{}}}}})", replicas);
}

std::string Rolled(int version) {
  return fmt::format(
      R"({{"spec":{{"template":{{"spec":{{"infrastructureRef":{{"name":"small-{}"}}}}}}}}}})",
      version % kTemplates);
}

std::string Paused(bool paused) { return fmt::format(R"({{"spec":{{"paused":{}}}}})", paused); }

// The owner that controls it, if it is of that kind.
std::string OwnedBy(const json::value& object, std::string_view kind) {
  boost::system::error_code none;
  const json::value* owners = object.find_pointer("/metadata/ownerReferences", none);
  if (owners == nullptr || !owners->is_array()) return {};
  for (const json::value& owner : owners->as_array()) {
    const bool controls = TextAt(owner, "/controller") == "true";
    if (controls && TextAt(owner, "/kind") == kind) return TextAt(owner, "/uid");
  }
  return {};
}

MachineFacts ReadMachine(const json::value& object) {
  const std::string phase = TextAt(object, "/status/phase");
  return {.name = TextAt(object, "/metadata/name"),
          .uid = TextAt(object, "/metadata/uid"),
          .phase = phase,
          .owner_uid = OwnedBy(object, "MachineSet"),
          .provider_id = TextAt(object, "/spec/providerID"),
          .node = TextAt(object, "/status/nodeRef/name"),
          .running = phase == "Running" && IsTrue(object, "Available"),
          .unwell = IsFalse(object, "HealthCheckSucceeded"),
          .deleting = Has(object, "/metadata/deletionTimestamp")};
}

SetFacts ReadSet(const json::value& object) {
  return {.name = TextAt(object, "/metadata/name"),
          .uid = TextAt(object, "/metadata/uid"),
          .owner_uid = OwnedBy(object, "MachineDeployment")};
}

DeploymentFacts ReadDeployment(const json::value& object) {
  const std::string limits = "/spec/rollout/strategy/rollingUpdate";
  return {.name = TextAt(object, "/metadata/name"),
          .uid = TextAt(object, "/metadata/uid"),
          .deleting = Has(object, "/metadata/deletionTimestamp"),
          .rolling = TextAt(object, "/spec/rollout/strategy/type") == "RollingUpdate",
          .replicas = NumberAt(object, "/spec/replicas"),
          .surge = NumberAt(object, limits + "/maxSurge"),
          .unavailable = NumberAt(object, limits + "/maxUnavailable"),
          .updated = NumberAt(object, "/status/upToDateReplicas"),
          .observed = NumberAt(object, "/status/observedGeneration") ==
                      NumberAt(object, "/metadata/generation")};
}

InstanceFacts ReadInstance(const json::value& object) {
  return {.name = TextAt(object, "/metadata/name"),
          .uid = TextAt(object, "/metadata/uid"),
          .machine_uid = OwnedBy(object, "Machine"),
          .deleting = Has(object, "/metadata/deletionTimestamp")};
}

std::vector<json::object> Definitions() {
  std::vector<json::object> all;
  for (const json::object& crd : dialects::capi::Crds()) all.push_back(crd);
  for (const json::object& crd : controllers::supply::Crds()) all.push_back(crd);
  return all;
}

constexpr std::string_view kParts[] = {"/infrastructure.millwright.dev/millwrightmachines/",
                                       "/bootstrap.millwright.dev/millwrightbootstraps/"};

}  // namespace

const Words& CapiWords() {
  static const Words words{.name = "cluster-api",
                           .group = "cluster.x-k8s.io",
                           .version = "v1beta2",
                           .machines = "machines",
                           .sets = "machinesets",
                           .deployments = "machinedeployments",
                           .run = RunCapi,
                           .definitions = Definitions,
                           .sample = MakeSample,
                           .scaled = Scaled,
                           .rolled = Rolled,
                           .paused = Paused,
                           .read_machine = ReadMachine,
                           .read_set = ReadSet,
                           .read_deployment = ReadDeployment,
                           .parts = kParts,
                           .read_instance = ReadInstance,
                           .sweeps_orphans = false,
                           .mutants = CapiMutants};
  return words;
}

}  // namespace millwright::sim
