// Where the kinds are served.
#pragma once

#include "kube/api/group_version.h"

namespace millwright::controllers::contract {

extern const kube::GroupVersionResource kClusters;
extern const kube::GroupVersionResource kMachines;
extern const kube::GroupVersionResource kSets;
extern const kube::GroupVersionResource kDeployments;
extern const kube::GroupVersionResource kHealthChecks;
extern const kube::GroupVersionResource kDrainRules;
extern const kube::GroupVersionResource kDefinitions;
extern const kube::GroupVersionResource kSecrets;
extern const kube::GroupVersionResource kNodes;

}  // namespace millwright::controllers::contract
