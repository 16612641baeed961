// For tests: the kinds of an invented provider beside Cluster API's own.
#pragma once

#include <fmt/format.h>
#include <boost/json.hpp>

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "dialects/capi/contract.h"
#include "dialects/capi/schema.h"

namespace millwright::controllers::contract {

namespace capi = dialects::capi;

inline boost::json::object Definition(const std::string& group, const std::string& kind,
                                      const std::string& version, const std::string& contract) {
  std::string plural = kind + "s";
  std::ranges::transform(plural, plural.begin(), [](unsigned char c) { return std::tolower(c); });
  return boost::json::parse(fmt::format(R"({{"apiVersion":"apiextensions.k8s.io/v1",
      "kind":"CustomResourceDefinition",
      "metadata":{{"name":"{0}.{1}","labels":{{"cluster.x-k8s.io/{4}":"{3}"}}}},
      "spec":{{"group":"{1}","scope":"Namespaced",
        "names":{{"plural":"{0}","kind":"{2}","listKind":"{2}List"}},
        "versions":[{{"name":"{3}","served":true,"storage":true,
          "subresources":{{"status":{{}}}},
          "schema":{{"openAPIV3Schema":{{"type":"object",
            "x-kubernetes-preserve-unknown-fields":true}}}}}}]}}}})",
                                        plural, group, kind, version, contract))
      .as_object();
}

// All that the management cluster of a test serves.
inline std::vector<boost::json::object> Definitions() {
  std::vector<boost::json::object> definitions = capi::Crds();
  const std::string infrastructure = "infrastructure.cluster.x-k8s.io";
  definitions.push_back(Definition(infrastructure, "DevMachine", "v1beta2", "v1beta2"));
  definitions.push_back(Definition(infrastructure, "DevCluster", "v1beta2", "v1beta2"));
  definitions.push_back(Definition(infrastructure, "OldMachine", "v1beta1", "v1beta1"));
  definitions.push_back(
      Definition("bootstrap.cluster.x-k8s.io", "DevConfig", "v1beta2", "v1beta2"));
  definitions.push_back(
      Definition("controlplane.cluster.x-k8s.io", "DevControlPlane", "v1beta2", "v1beta2"));
  return definitions;
}

// The kind of a resource's name; empty: it is none of these.
inline std::string KindAt(const std::string& resource) {
  for (const char* kind : {"Cluster", "Machine", "MachineSet", "MachineDeployment",
                           "MachineHealthCheck", "MachineDrainRule", "DevMachine", "DevCluster",
                           "OldMachine", "DevConfig", "DevControlPlane"}) {
    if (capi::Plural(kind) == resource) return kind;
  }
  return "";
}

}  // namespace millwright::controllers::contract
