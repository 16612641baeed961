#include "cli/sample.h"

#include <boost/json.hpp>

#include "base/base64.h"
#include "cli/preparing.h"

namespace millwright::cli {

namespace json = boost::json;

namespace {

constexpr std::string_view kVersion = "machine.sapcloud.io/v1alpha1";

kube::GroupVersionResource Resource(std::string plural) {
  return {"machine.sapcloud.io", "v1alpha1", std::move(plural)};
}

json::object Named(std::string_view name) { return {{"name", name}, {"namespace", "default"}}; }

}  // namespace

Task<Result<void>> CreateSample(kube::Client& client, std::string url, std::string ca_pem) {
  const json::object user_data{{"server", url},
                               {"caData", EncodeBase64(ca_pem)},
                               {"token", "<<BOOTSTRAP_TOKEN>>"},
                               {"nodeName", "<<MACHINE_NAME>>"}};
  const json::object secret{{"apiVersion", "v1"},
                            {"kind", "Secret"},
                            {"metadata", Named("local")},
                            {"stringData", {{"userData", json::serialize(user_data)}}}};
  const json::object of{{"apiVersion", kVersion},
                        {"kind", "MachineClass"},
                        {"metadata", Named("local")},
                        {"provider", "local"},
                        {"providerSpec", {{"cpu", "2"}, {"memory", "4Gi"}}},
                        {"secretRef", Named("local")}};
  const json::object labels{{"name", "workers"}};
  const json::object deployment{
      {"apiVersion", kVersion},
      {"kind", "MachineDeployment"},
      {"metadata", Named("workers")},
      {"spec",
       {{"replicas", 3},
        {"selector", {{"matchLabels", labels}}},
        {"strategy",
         {{"type", "RollingUpdate"}, {"rollingUpdate", {{"maxSurge", 1}, {"maxUnavailable", 0}}}}},
        {"template",
         {{"metadata", {{"labels", labels}}},
          {"spec", {{"class", {{"kind", "MachineClass"}, {"name", "local"}}}}}}}}}};
  // The address may be another one than last time, so the secret follows.
  CO_CHECK(co_await client.Apply({"", "v1", "secrets"}, {"default", "local"},
                                 json::serialize(secret), {.force = true}));
  CO_CHECK(co_await CreateOnce(client, Resource("machineclasses"), {"default", "local"},
                               json::serialize(of)));
  CO_CHECK(co_await CreateOnce(client, Resource("machinedeployments"), {"default", "workers"},
                               json::serialize(deployment)));
  co_return Ok();
}

}  // namespace millwright::cli
