// The definitions, webhooks and conversion of Cluster API's kinds in a server: what old and new
// clients write is defaulted, checked, stored once and read back in either version.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "admission/capi_webhooks.h"
#include "apiserver/server/embedded_fixture.h"
#include "dialects/capi/schema.h"

namespace millwright::apiserver {
namespace {

namespace json = boost::json;
namespace capi = dialects::capi;
using testing::HasSubstr;

constexpr std::string_view kNew = "/apis/cluster.x-k8s.io/v1beta2/namespaces/default/";
constexpr std::string_view kOld = "/apis/cluster.x-k8s.io/v1beta1/namespaces/default/";

// A connection to a handler of this process.
class DirectHttp final : public net::Http {
 public:
  explicit DirectHttp(net::Handler& handler) : handler_(handler) {}

  Task<Result<net::HttpResponse>> Send(net::HttpRequest request) override {
    net::ServerResponse response =
        co_await handler_.Handle({.http = std::move(request), .peer = {}});
    co_return std::move(response.http);
  }
  Task<Result<net::HttpStream>> Open(net::HttpRequest) override {
    co_return Fail(ErrorKind::kInternal, "not asked for");
  }

 private:
  net::Handler& handler_;
};

admission::WebhookHandler& Webhooks() {
  static admission::WebhookHandler handler(admission::CapiRoutes(
      {.taints = false},
      [](std::string_view, std::string_view) { return std::optional<std::string>("v1beta2"); }));
  return handler;
}

class CapiAdmission : public EmbeddedFixture {
 protected:
  CapiAdmission()
      : EmbeddedFixture([](const WebhookAddress&) -> Result<std::shared_ptr<net::Http>> {
          return std::make_shared<DirectHttp>(Webhooks());
        }) {
    const admission::WebhookPlace place{
        .service_namespace = "", .service = "", .url = "https://hooks.example.org", .ca = ""};
    for (const json::object& crd : capi::Crds()) {
      Post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
           admission::WithConversion(crd, place));
    }
    const std::string registration = "/apis/admissionregistration.k8s.io/v1/";
    const auto configurations = admission::CapiWebhookConfigurations(place);
    Post(registration + "mutatingwebhookconfigurations", configurations[0]);
    Post(registration + "validatingwebhookconfigurations", configurations[1]);
    world_.Advance(std::chrono::seconds(10));
  }

  json::value Post(const std::string& path, const json::object& object) {
    const Reply reply = Ask("POST", path, json::serialize(object));
    EXPECT_EQ(reply.status, 201) << json::serialize(reply.body);
    return reply.body;
  }
  json::value Post(std::string_view base, std::string_view plural, std::string_view text) {
    return Post(std::string(base) + std::string(plural), json::parse(text).as_object());
  }
  json::value Get(std::string_view base, std::string_view path) {
    const Reply reply = Ask("GET", std::string(base) + std::string(path));
    EXPECT_EQ(reply.status, 200) << json::serialize(reply.body);
    return reply.body;
  }
};

constexpr std::string_view kOldDeployment = R"({"apiVersion": "cluster.x-k8s.io/v1beta1",
  "kind": "MachineDeployment", "metadata": {"name": "d"},
  "spec": {"clusterName": "c", "minReadySeconds": 7, "revisionHistoryLimit": 2, "selector": {},
    "strategy": {"rollingUpdate": {"maxSurge": "25%", "deletePolicy": "Oldest"}},
    "template": {"spec": {"clusterName": "c", "version": "1.35.0", "nodeDrainTimeout": "90s",
      "bootstrap": {"configRef": {"apiVersion": "bootstrap.example.org/v1", "kind": "BTemplate",
        "name": "b"}},
      "infrastructureRef": {"apiVersion": "infra.example.org/v1", "kind": "ITemplate",
        "name": "i"}}}}})";

TEST_F(CapiAdmission, OldObjectsAreConvertedDefaultedAndStored) {
  const json::value made = Post(kOld, "machinedeployments", kOldDeployment);
  EXPECT_EQ(kube::GetString(made, "apiVersion"), "cluster.x-k8s.io/v1beta1");
  EXPECT_EQ(kube::GetString(made, "spec.template.spec.version"), "v1.35.0");
  EXPECT_EQ(kube::GetString(made, "spec.strategy.type"), "RollingUpdate");
  EXPECT_EQ(kube::GetString(made, "spec.template.spec.infrastructureRef.apiVersion"),
            "infra.example.org/v1beta2");

  const json::value now = Get(kNew, "machinedeployments/d");
  EXPECT_EQ(kube::GetInt(now, "spec.replicas"), 1);
  EXPECT_EQ(kube::GetInt(now, "spec.template.spec.minReadySeconds"), 7);
  EXPECT_EQ(kube::GetInt(now, "spec.template.spec.deletion.nodeDrainTimeoutSeconds"), 90);
  EXPECT_EQ(kube::GetString(now, "spec.deletion.order"), "Oldest");
  EXPECT_EQ(kube::GetString(now, "spec.rollout.strategy.rollingUpdate.maxSurge"), "25%");
  EXPECT_EQ(*kube::GetObject(now, "spec.selector.matchLabels"),
            *kube::GetObject(now, "spec.template.metadata.labels"));
  EXPECT_EQ(kube::GetObject(now, "metadata.annotations"), nullptr);
}

TEST_F(CapiAdmission, SetsScaleInBothVersions) {
  Post(kOld, "machinedeployments", kOldDeployment);
  for (const std::string_view base : {kOld, kNew}) {
    EXPECT_EQ(kube::GetInt(Get(base, "machinedeployments/d/scale"), "spec.replicas"), 1);
  }
  const Reply scaled = Ask("PATCH", std::string(kOld) + "machinedeployments/d/scale",
                           R"({"spec": {"replicas": 4}})", "application/merge-patch+json");
  EXPECT_EQ(scaled.status, 200) << json::serialize(scaled.body);
  EXPECT_EQ(kube::GetInt(Get(kNew, "machinedeployments/d"), "spec.replicas"), 4);
}

TEST_F(CapiAdmission, WhatCannotWorkIsRefusedInWords) {
  const Reply reply =
      Ask("POST", std::string(kNew) + "machines", R"({"apiVersion": "cluster.x-k8s.io/v1beta2",
    "kind": "Machine", "metadata": {"name": "m"}, "spec": {"clusterName": "c", "bootstrap": {},
      "infrastructureRef": {"apiGroup": "g.io", "kind": "I", "name": "i"}}})");
  EXPECT_EQ(reply.status, 422);
  EXPECT_THAT(reply.At("message"), HasSubstr("validation.machine.cluster.x-k8s.io"));
  EXPECT_THAT(reply.At("message"), HasSubstr("spec.bootstrap: Required value"));
}

TEST_F(CapiAdmission, WhatOldClientsCannotSayIsKept) {
  Post(kNew, "machines", R"({"apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "Machine",
    "metadata": {"name": "m"}, "spec": {"clusterName": "c", "minReadySeconds": 3,
      "bootstrap": {"dataSecretName": "s"},
      "infrastructureRef": {"apiGroup": "g.io", "kind": "I", "name": "i"}}})");
  const Reply status = Ask("PATCH", std::string(kNew) + "machines/m/status",
                           R"({"status": {"phase": "Updating", "failureDomain": "fd",
      "initialization": {"infrastructureProvisioned": false}}})",
                           "application/merge-patch+json");
  EXPECT_EQ(status.status, 200) << json::serialize(status.body);

  json::value old = Get(kOld, "machines/m");
  EXPECT_EQ(kube::GetString(old, "status.phase"), "Running");
  old.as_object()["metadata"].as_object()["labels"].as_object()["touched"] = "1";
  const Reply put = Ask("PUT", std::string(kOld) + "machines/m", json::serialize(old));
  EXPECT_EQ(put.status, 200) << json::serialize(put.body);

  const json::value now = Get(kNew, "machines/m");
  EXPECT_EQ(kube::GetInt(now, "spec.minReadySeconds"), 3);
  EXPECT_EQ(kube::GetInt(now, "spec.deletion.nodeDeletionTimeoutSeconds"), 10);
  EXPECT_EQ(kube::GetString(now, "status.phase"), "Updating");
  EXPECT_EQ(kube::GetString(now, "status.failureDomain"), "fd");
  EXPECT_FALSE(kube::GetBool(now, "status.initialization.infrastructureProvisioned", true));
  EXPECT_EQ(kube::GetString(now, "metadata.labels.touched"), "1");
  EXPECT_EQ(kube::GetObject(now, "metadata.annotations"), nullptr);
}

TEST_F(CapiAdmission, TheOtherKindsAreServed) {
  Post(kNew, "machinehealthchecks", R"({"apiVersion": "cluster.x-k8s.io/v1beta2",
    "kind": "MachineHealthCheck", "metadata": {"name": "h"}, "spec": {"clusterName": "c",
      "selector": {"matchLabels": {"a": "b"}}}})");
  EXPECT_EQ(kube::GetString(Get(kOld, "machinehealthchecks/h"), "spec.nodeStartupTimeout"),
            "10m0s");
  Post(kOld, "machinedrainrules", R"({"apiVersion": "cluster.x-k8s.io/v1beta1",
    "kind": "MachineDrainRule", "metadata": {"name": "r"},
    "spec": {"drain": {"behavior": "Drain", "order": 3}}})");
  EXPECT_EQ(kube::GetInt(Get(kNew, "machinedrainrules/r"), "spec.drain.order"), 3);
  Post(kOld, "clusters", R"({"apiVersion": "cluster.x-k8s.io/v1beta1", "kind": "Cluster",
    "metadata": {"name": "c"}, "spec": {"paused": true,
      "infrastructureRef": {"apiVersion": "i.io/v1", "kind": "I", "name": "i"},
      "controlPlaneEndpoint": {"host": "", "port": 0}}})");
  EXPECT_EQ(*kube::GetObject(Get(kNew, "clusters/c"), "spec"), json::parse(R"({"paused": true,
              "infrastructureRef": {"apiGroup": "i.io", "kind": "I", "name": "i"}})")
                                                                   .as_object());
}

}  // namespace
}  // namespace millwright::apiserver
