// For tests of sets, deployments and health checks: templates, and machines whose status the test
// writes in place of the Machine controller.
#pragma once

#include "controllers/contract/testing/contract_fixture.h"

namespace millwright::controllers::contract {

class OwnerFixture : public ContractFixture {
 protected:
  static constexpr const char* kMachineTemplate =
      "/apis/infrastructure.cluster.x-k8s.io/v1beta2/namespaces/ns/devmachinetemplates";
  static constexpr const char* kConfigTemplate =
      "/apis/bootstrap.cluster.x-k8s.io/v1beta2/namespaces/ns/devconfigtemplates";
  static constexpr const char* kHealthCheck =
      "/apis/cluster.x-k8s.io/v1beta2/namespaces/ns/machinehealthchecks";

  explicit OwnerFixture(MakeLoops loops, Settings settings = {}, InPlacePort* in_place = nullptr)
      : ContractFixture(std::move(loops), std::move(settings), in_place) {
    Define("infrastructure.cluster.x-k8s.io", "DevMachineTemplate");
    Define("bootstrap.cluster.x-k8s.io", "DevConfigTemplate");
    Pass(std::chrono::seconds(1));
  }

  void Define(const std::string& group, const std::string& kind) {
    Create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
           boost::json::serialize(Definition(group, kind, "v1beta2", "v1beta2")));
  }

  void AddTemplates(const std::string& name = "t") {
    Create(kMachineTemplate,
           fmt::format(R"({{"apiVersion":"infrastructure.cluster.x-k8s.io/v1beta2",
        "kind":"DevMachineTemplate","metadata":{{"name":"{}"}},"spec":{{"template":{{
        "metadata":{{"labels":{{"from":"template"}}}},"spec":{{"size":"big"}}}}}}}})",
                       name));
    Create(kConfigTemplate, fmt::format(R"({{"apiVersion":"bootstrap.cluster.x-k8s.io/v1beta2",
        "kind":"DevConfigTemplate","metadata":{{"name":"{}"}},"spec":{{"template":{{
        "spec":{{"script":"x"}}}}}}}})",
                                        name));
  }

  // The spec of a machine in a template.
  static std::string TemplateSpec(const std::string& name = "t", const std::string& more = "") {
    return fmt::format(R"({{"clusterName":"c","bootstrap":{{"configRef":{{
        "kind":"DevConfigTemplate","name":"{0}","apiGroup":"bootstrap.cluster.x-k8s.io"}}}},
        "infrastructureRef":{{"kind":"DevMachineTemplate","name":"{0}",
        "apiGroup":"infrastructure.cluster.x-k8s.io"}}{1}}})",
                       name, more);
  }

  std::vector<boost::json::value> List(const std::string& path) {
    const Reply reply = Get(path);
    const boost::json::array* items = kube::GetArray(reply.body, "items");
    return items == nullptr ? std::vector<boost::json::value>()
                            : std::vector<boost::json::value>(items->begin(), items->end());
  }
  std::vector<std::string> Names(const std::string& path) {
    std::vector<std::string> names;
    for (const boost::json::value& item : List(path)) {
      names.emplace_back(kube::GetString(item, "metadata.name"));
    }
    return names;
  }

  static std::string Condition(const std::string& type, const std::string& status,
                               const std::string& reason = "R") {
    return fmt::format(R"({{"type":"{}","status":"{}","reason":"{}","message":"",
                           "lastTransitionTime":"2026-01-01T00:00:00Z"}})",
                       type, status, reason);
  }

  // As the Machine controller would show it.
  void ShowMachine(const std::string& name, const std::vector<std::string>& conditions,
                   const std::string& node = "") {
    std::string list;
    for (const std::string& condition : conditions) {
      list += (list.empty() ? "" : ",") + condition;
    }
    Patch(fmt::format("{}/{}/status", kMachine, name),
          fmt::format(R"({{"status":{{"nodeRef":{{"name":"{}"}},"conditions":[{}]}}}})",
                      node.empty() ? "node-" + name : node, list));
  }

  void MakeAvailable(const std::string& name) {
    ShowMachine(name, {Condition("Available", "True"), Condition("Ready", "True"),
                       Condition("UpToDate", "True")});
  }

  void MakeAllAvailable() {
    for (const std::string& name : Names(kMachine)) MakeAvailable(name);
    Pass(std::chrono::seconds(2));
  }

  bool IsDeleting(const std::string& path) {
    return !Get(path).At("metadata.deletionTimestamp").empty();
  }

  // The Machine controller and the providers are done with what is going.
  void FinishDeletions() {
    for (const std::string& name : Names(kMachine)) {
      if (IsDeleting(fmt::format("{}/{}", kMachine, name))) {
        LetGo(fmt::format("{}/{}", kMachine, name));
      }
    }
    Pass(std::chrono::seconds(2));
  }
};

}  // namespace millwright::controllers::contract
