// Gardener's machine-controller-manager, as it is simulated.
#include <fmt/format.h>
#include <boost/json.hpp>

#include <algorithm>

#include "dialects/gardener/names.h"
#include "dialects/gardener/schema.h"
#include "tests/sim/words.h"

namespace millwright::sim {

namespace json = boost::json;

namespace {

constexpr const char* kSample = R"(
apiVersion: v1
kind: Secret
metadata: {{name: small, namespace: default}}
stringData: {{userData: "join <<MACHINE_NAME>> with <<BOOTSTRAP_TOKEN>>", password: {}}}
---
apiVersion: machine.sapcloud.io/v1alpha1
kind: MachineClass
metadata: {{name: small, namespace: default}}
provider: simulated
providerSpec: {{}}
secretRef: {{name: small, namespace: default}}
---
apiVersion: machine.sapcloud.io/v1alpha1
kind: MachineDeployment
metadata: {{name: web, namespace: default}}
spec:
  replicas: {}
  strategy: {}
  selector: {{matchLabels: {{app: web}}}}
  template:
    metadata: {{labels: {{app: web, name: web}}}}
    spec: {{class: {{kind: MachineClass, name: small}}{}}}
{}
)";

std::string Rolling(int surge, int unavailable) {
  return fmt::format(
      "{{type: RollingUpdate, rollingUpdate: {{maxSurge: {}, "
      "maxUnavailable: {}}}}}",
      surge, unavailable);
}

std::string MakeSample(const Sample& sample) {
  const std::string strategy =
      sample.strategy.empty() ? Rolling(sample.surge, sample.unavailable) : sample.strategy;
  return fmt::format(kSample, kSecret, sample.replicas, strategy, sample.more_machine,
                     sample.more_spec);
}

std::string Scaled(int replicas) {
  return fmt::format(R"({{"spec":{{"replicas":{}}}}})", replicas);
}

std::string Rolled(int version) {
  return fmt::format(R"({{"spec":{{"template":{{"metadata":{{"labels":{{"v":"{}"}}}}}}}}}})",
                     version);
}

std::string Paused(bool paused) { return fmt::format(R"({{"spec":{{"paused":{}}}}})", paused); }

constexpr std::string_view kInPlace =
    "{type: InPlaceUpdate, inPlaceUpdate: {maxSurge: 0, maxUnavailable: 1, orchestrationType: "
    "Auto}}";

// One that is drained for its update and has not said how it went.
std::string UpdatedNode(const json::value& node) {
  boost::system::error_code none;
  const json::value* conditions = node.find_pointer("/status/conditions", none);
  if (conditions == nullptr || !conditions->is_array()) return {};
  const bool waits = std::ranges::any_of(conditions->as_array(), [](const json::value& condition) {
    return TextAt(condition, "/type") == "InPlaceUpdate" &&
           TextAt(condition, "/reason") == "ReadyForUpdate";
  });
  const json::value* labels = node.find_pointer("/metadata/labels", none);
  const bool said = labels != nullptr && labels->is_object() &&
                    labels->as_object().contains(dialects::gardener::labels::kUpdateResult);
  if (!waits || said) return {};
  return json::serialize(json::object{
      {"metadata", {{"labels", {{dialects::gardener::labels::kUpdateResult, "successful"}}}}}});
}

std::string Owner(const json::value& object) {
  return TextAt(object, "/metadata/ownerReferences/0/uid");
}

MachineFacts ReadMachine(const json::value& object) {
  const std::string phase = TextAt(object, "/status/currentStatus/phase");
  return {.name = TextAt(object, "/metadata/name"),
          .uid = TextAt(object, "/metadata/uid"),
          .phase = phase,
          .owner_uid = Owner(object),
          .provider_id = TextAt(object, "/spec/providerID"),
          .node = TextAt(object, "/metadata/labels/node"),
          .running = phase == "Running",
          .unwell = phase == "Unknown",
          .deleting = Has(object, "/metadata/deletionTimestamp")};
}

SetFacts ReadSet(const json::value& object) {
  return {.name = TextAt(object, "/metadata/name"),
          .uid = TextAt(object, "/metadata/uid"),
          .owner_uid = Owner(object)};
}

DeploymentFacts ReadDeployment(const json::value& object) {
  return {.name = TextAt(object, "/metadata/name"),
          .uid = TextAt(object, "/metadata/uid"),
          .deleting = Has(object, "/metadata/deletionTimestamp"),
          .rolling = TextAt(object, "/spec/strategy/type") == "RollingUpdate",
          .replicas = NumberAt(object, "/spec/replicas"),
          .surge = NumberAt(object, "/spec/strategy/rollingUpdate/maxSurge"),
          .unavailable = NumberAt(object, "/spec/strategy/rollingUpdate/maxUnavailable"),
          .updated = NumberAt(object, "/status/updatedReplicas"),
          .observed = NumberAt(object, "/status/observedGeneration") ==
                      NumberAt(object, "/metadata/generation")};
}

std::vector<json::object> Definitions() {
  const auto definitions = dialects::gardener::Crds();
  return {definitions.begin(), definitions.end()};
}

}  // namespace

const Words& GardenerWords() {
  static const Words words{.name = "gardener",
                           .group = "machine.sapcloud.io",
                           .version = "v1alpha1",
                           .machines = "machines",
                           .sets = "machinesets",
                           .deployments = "machinedeployments",
                           .run = RunGardener,
                           .definitions = Definitions,
                           .sample = MakeSample,
                           .scaled = Scaled,
                           .rolled = Rolled,
                           .paused = Paused,
                           .in_place = kInPlace,
                           .updated_node = UpdatedNode,
                           .read_machine = ReadMachine,
                           .read_set = ReadSet,
                           .read_deployment = ReadDeployment,
                           .mutants = Mutants};
  return words;
}

}  // namespace millwright::sim
