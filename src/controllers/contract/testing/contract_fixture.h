// For tests: the objects around contract loops. What providers and kubelets do, tests do.
#pragma once

#include <fmt/format.h>
#include <boost/json.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include "base/base64.h"
#include "controllers/contract/testing/server_requests.h"

namespace millwright::controllers::contract {

class ContractFixture : public ServerRequests {
 protected:
  using ServerRequests::ServerRequests;

  static constexpr const char* kMachine = "/apis/cluster.x-k8s.io/v1beta2/namespaces/ns/machines";
  static constexpr const char* kSet = "/apis/cluster.x-k8s.io/v1beta2/namespaces/ns/machinesets";
  static constexpr const char* kDeployment =
      "/apis/cluster.x-k8s.io/v1beta2/namespaces/ns/machinedeployments";
  static constexpr const char* kCluster = "/apis/cluster.x-k8s.io/v1beta2/namespaces/ns/clusters";
  static constexpr const char* kRule =
      "/apis/cluster.x-k8s.io/v1beta2/namespaces/ns/machinedrainrules";
  static constexpr const char* kDevMachine =
      "/apis/infrastructure.cluster.x-k8s.io/v1beta2/namespaces/ns/devmachines";
  static constexpr const char* kOldMachine =
      "/apis/infrastructure.cluster.x-k8s.io/v1beta1/namespaces/ns/oldmachines";
  static constexpr const char* kDevCluster =
      "/apis/infrastructure.cluster.x-k8s.io/v1beta2/namespaces/ns/devclusters";
  static constexpr const char* kDevConfig =
      "/apis/bootstrap.cluster.x-k8s.io/v1beta2/namespaces/ns/devconfigs";
  static constexpr const char* kDevControlPlane =
      "/apis/controlplane.cluster.x-k8s.io/v1beta2/namespaces/ns/devcontrolplanes";
  static constexpr const char* kSecret = "/api/v1/namespaces/ns/secrets";
  static constexpr const char* kNode = "/api/v1/nodes";
  static constexpr const char* kPod = "/api/v1/namespaces/default/pods";

  // A cluster whose infrastructure is there and which can be reached.
  void AddCluster(const std::string& name = "c", const std::string& spec = R"({"paused":false})",
                  const std::string& kubeconfig = "good") {
    Create(kCluster, fmt::format(R"({{"metadata":{{"name":"{}"}},"spec":{}}})", name, spec));
    Create(kSecret, fmt::format(R"({{"metadata":{{"name":"{0}-kubeconfig",
               "labels":{{"cluster.x-k8s.io/cluster-name":"{0}"}}}},
               "type":"cluster.x-k8s.io/secret","data":{{"value":"{1}"}}}})",
                                name, EncodeBase64(kubeconfig)));
    MakeReachable(name);
  }

  void MakeReachable(const std::string& name = "c") {
    Patch(fmt::format("{}/{}/status", kCluster, name),
          R"({"status":{"initialization":{"infrastructureProvisioned":true,
             "controlPlaneInitialized":true},"conditions":[
             {"type":"ControlPlaneInitialized","status":"True","reason":"Initialized",
              "message":"","lastTransitionTime":"2026-01-01T00:00:00Z"},
             {"type":"InfrastructureReady","status":"True","reason":"Ready",
              "message":"","lastTransitionTime":"2026-01-01T00:00:00Z"}]}})");
    Pass(std::chrono::seconds(1));
  }

  static std::string MachineBody(const std::string& name, const std::string& metadata = "",
                                 const std::string& spec = "") {
    return fmt::format(R"({{"metadata":{{"name":"{0}"{1}}},"spec":{{"clusterName":"c",
        "bootstrap":{{"configRef":{{"kind":"DevConfig","name":"{0}",
          "apiGroup":"bootstrap.cluster.x-k8s.io"}}}},
        "infrastructureRef":{{"kind":"DevMachine","name":"{0}",
          "apiGroup":"infrastructure.cluster.x-k8s.io"}}{2}}}}})",
                       name, metadata, spec);
  }

  void AddExternals(const std::string& name = "m") {
    Create(kDevMachine, fmt::format(R"({{"metadata":{{"name":"{}","finalizers":["dev/x"]}},
                                        "spec":{{}}}})",
                                    name));
    Create(kDevConfig, fmt::format(R"({{"metadata":{{"name":"{}"}},"spec":{{}}}})", name));
  }

  void FinishBootstrap(const std::string& name = "m", const std::string& secret = "secret-data") {
    Patch(fmt::format("{}/{}/status", kDevConfig, name),
          fmt::format(R"({{"status":{{"initialization":{{"dataSecretCreated":true}},
                          "dataSecretName":"{}"}}}})",
                      secret));
  }

  void FinishInfrastructure(const std::string& name = "m", const std::string& id = "dev:///m") {
    Patch(fmt::format("{}/{}", kDevMachine, name),
          fmt::format(R"({{"spec":{{"providerID":"{}"}}}})", id));
    Patch(fmt::format("{}/{}/status", kDevMachine, name),
          R"({"status":{"initialization":{"provisioned":true}}})");
  }

  // The provider is done with it.
  void LetGo(const std::string& path) { Patch(path, R"({"metadata":{"finalizers":null}})"); }

  void AddNode(const std::string& name = "node", const std::string& id = "dev:///m") {
    CreateThere(kNode, fmt::format(R"({{"metadata":{{"name":"{}"}},
                                       "spec":{{"providerID":"{}"}}}})",
                                   name, id));
    PatchThere(fmt::format("{}/{}/status", kNode, name),
               R"({"status":{"nodeInfo":{"kubeletVersion":"v1.36.0"},"conditions":[
                 {"type":"Ready","status":"True","lastTransitionTime":"2026-01-01T00:00:00Z"},
                 {"type":"MemoryPressure","status":"False"},
                 {"type":"DiskPressure","status":"False"},
                 {"type":"PIDPressure","status":"False"}]}})");
  }

  // A machine that runs on a node, with a control plane machine beside it so that its node counts.
  void AddRunningMachine(const std::string& metadata = "", const std::string& spec = "") {
    Create(kMachine, MachineBody("cp", R"(,"labels":{"cluster.x-k8s.io/control-plane":"",
                                            "cluster.x-k8s.io/control-plane-name":"x"})"));
    AddExternals();
    Create(kMachine, MachineBody("m", metadata, spec));
    FinishBootstrap();
    AddNode();
    FinishInfrastructure();
    Pass(std::chrono::seconds(2));
    ASSERT_EQ(Machine().At("status.nodeRef.name"), "node") << Machine().body;
  }

  Reply Machine(const std::string& name = "m") { return Get(fmt::format("{}/{}", kMachine, name)); }

  void AddPod(const std::string& name, const std::string& metadata = "",
              const std::string& spec = "") {
    CreateThere(kPod, fmt::format(R"({{"metadata":{{"name":"{}"{}}},"spec":{{"nodeName":"node",
        "containers":[{{"name":"c","image":"i:1"}}]{}}}}})",
                                  name, metadata, spec));
    PatchThere(fmt::format("{}/{}/status", kPod, name), R"({"status":{"phase":"Running"}})");
  }

  std::vector<std::string> Events() {
    std::vector<std::string> reasons;
    const Reply all = Get("/api/v1/namespaces/ns/events");
    for (const boost::json::value& event : *kube::GetArray(all.body, "items")) {
      reasons.emplace_back(kube::GetString(event, "reason"));
    }
    return reasons;
  }
  bool HasEvent(const std::string& reason) {
    const auto reasons = Events();
    return std::ranges::find(reasons, reason) != reasons.end();
  }
};

}  // namespace millwright::controllers::contract
