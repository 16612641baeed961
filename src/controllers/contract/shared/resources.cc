#include "controllers/contract/shared/resources.h"

#include <string>

#include "dialects/capi/names.h"

namespace millwright::controllers::contract {

namespace {

kube::GroupVersionResource Ours(const char* resource) {
  return {std::string(dialects::capi::kGroup), std::string(dialects::capi::kVersion), resource};
}

}  // namespace

const kube::GroupVersionResource kClusters = Ours("clusters");
const kube::GroupVersionResource kMachines = Ours("machines");
const kube::GroupVersionResource kSets = Ours("machinesets");
const kube::GroupVersionResource kDeployments = Ours("machinedeployments");
const kube::GroupVersionResource kHealthChecks = Ours("machinehealthchecks");
const kube::GroupVersionResource kDrainRules = Ours("machinedrainrules");
const kube::GroupVersionResource kDefinitions{"apiextensions.k8s.io", "v1",
                                              "customresourcedefinitions"};
const kube::GroupVersionResource kSecrets{"", "v1", "secrets"};
const kube::GroupVersionResource kNodes{"", "v1", "nodes"};

}  // namespace millwright::controllers::contract
