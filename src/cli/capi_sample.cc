#include "cli/capi_sample.h"

#include <boost/json.hpp>

#include "base/base64.h"
#include "cli/preparing.h"
#include "controllers/supply/kinds.h"
#include "dialects/capi/names.h"
#include "net/endpoint.h"

namespace millwright::cli {

namespace json = boost::json;
namespace capi = dialects::capi;
namespace supply = controllers::supply;

namespace {

constexpr std::string_view kCluster = "demo";
constexpr std::string_view kWorkers = "workers";

json::object Named(std::string_view name) {
  return {{"name", name},
          {"namespace", "default"},
          {"labels", json::object{{capi::labels::kCluster, kCluster}}}};
}

json::object Body(const kube::GroupVersionResource& resource, std::string_view kind,
                  std::string_view name, json::object spec) {
  return {{"apiVersion", resource.group + "/" + resource.version},
          {"kind", kind},
          {"metadata", Named(name)},
          {"spec", std::move(spec)}};
}

json::object Reference(std::string_view group, std::string_view kind, std::string_view name) {
  return {{"apiGroup", group}, {"kind", kind}, {"name", name}};
}

kube::GroupVersionResource Core(std::string plural) {
  return {std::string(capi::kGroup), std::string(capi::kVersion), std::move(plural)};
}

json::object ClusterSpec(const net::Endpoint& url) {
  return {
      {"controlPlaneEndpoint", json::object{{"host", url.host}, {"port", url.port}}},
      {"infrastructureRef", Reference(supply::kInfrastructureGroup, "MillwrightCluster", kCluster)},
      {"controlPlaneRef",
       Reference(supply::kControlPlaneGroup, "MillwrightControlPlane", kCluster)}};
}

json::object DeploymentSpec() {
  const json::object labels{{capi::labels::kDeployment, kWorkers}};
  return {
      {"clusterName", kCluster},
      {"replicas", 3},
      {"selector", json::object{{"matchLabels", labels}}},
      {"rollout", json::object{{"strategy", json::object{{"type", "RollingUpdate"}}}}},
      {"template",
       json::object{
           {"metadata", json::object{{"labels", labels}}},
           {"spec",
            json::object{
                {"clusterName", kCluster},
                {"bootstrap",
                 json::object{{"configRef", Reference(supply::kBootstrapGroup,
                                                      "MillwrightBootstrapTemplate", kWorkers)}}},
                {"infrastructureRef", Reference(supply::kInfrastructureGroup,
                                                "MillwrightMachineTemplate", kWorkers)}}}}}};
}

Task<Result<void>> Declare(kube::Client& client, kube::GroupVersionResource resource,
                           std::string_view name, json::object body) {
  return CreateOnce(client, std::move(resource), {"default", std::string(name)},
                    json::serialize(body));
}

Task<Result<void>> Apply(kube::Client& client, kube::GroupVersionResource resource,
                         std::string_view name, json::object body) {
  CO_CHECK(co_await client.Apply(resource, {"default", std::string(name)}, json::serialize(body),
                                 {.force = true}));
  co_return Ok();
}

// What follows the server's address.
Task<Result<void>> ApplyAddresses(kube::Client& client, const CapiSample& sample) {
  const std::string name = std::string(kCluster) + "-kubeconfig";
  json::object secret{{"apiVersion", "v1"},
                      {"kind", "Secret"},
                      {"metadata", Named(name)},
                      {"type", "cluster.x-k8s.io/secret"},
                      {"stringData", json::object{{"value", sample.kubeconfig}}}};
  CO_CHECK(co_await Apply(client, {"", "v1", "secrets"}, name, std::move(secret)));

  const json::object user_data{{"server", sample.url},
                               {"caData", EncodeBase64(sample.ca_pem)},
                               {"token", "<<BOOTSTRAP_TOKEN>>"},
                               {"nodeName", "<<MACHINE_NAME>>"}};
  kube::GroupVersionResource templates = supply::kBootstraps;
  templates.resource = "millwrightbootstraptemplates";
  json::object starts_with{{"userData", json::serialize(user_data)},
                           {"tokenGroups", "system:bootstrappers:millwright"}};
  json::object spec{{"template", json::object{{"spec", std::move(starts_with)}}}};
  co_return co_await Apply(
      client, templates, kWorkers,
      Body(templates, "MillwrightBootstrapTemplate", kWorkers, std::move(spec)));
}

}  // namespace

Task<Result<void>> CreateCapiSample(kube::Client& client, CapiSample sample) {
  CO_TRY(const net::Endpoint url, net::ParseEndpoint(sample.url));
  CO_CHECK(co_await ApplyAddresses(client, sample));
  CO_CHECK(co_await Declare(client, supply::kInfrastructures, kCluster,
                            Body(supply::kInfrastructures, "MillwrightCluster", kCluster, {})));
  CO_CHECK(co_await Declare(client, supply::kControlPlanes, kCluster,
                            Body(supply::kControlPlanes, "MillwrightControlPlane", kCluster, {})));
  kube::GroupVersionResource templates = supply::kInstances;
  templates.resource = "millwrightmachinetemplates";
  json::object made_of{{"provider", "local"},
                       {"providerSpec", json::object{{"cpu", "2"}, {"memory", "4Gi"}}}};
  json::object spec{{"template", json::object{{"spec", std::move(made_of)}}}};
  CO_CHECK(
      co_await Declare(client, templates, kWorkers,
                       Body(templates, "MillwrightMachineTemplate", kWorkers, std::move(spec))));
  CO_CHECK(
      co_await Declare(client, Core("clusters"), kCluster,
                       Body(Core("clusters"), capi::kClusterKind, kCluster, ClusterSpec(url))));
  co_return co_await Declare(
      client, Core("machinedeployments"), kWorkers,
      Body(Core("machinedeployments"), capi::kDeploymentKind, kWorkers, DeploymentSpec()));
}

}  // namespace millwright::cli
