// Our own kinds that keep Cluster API's contracts: machines from any of our clouds, the data they
// start with, and clusters whose control plane somebody else runs.
#pragma once

#include <boost/json/object.hpp>

#include <string_view>
#include <vector>

#include "kube/api/group_version.h"

namespace millwright::controllers::supply {

inline constexpr std::string_view kVersion = "v1beta1";
inline constexpr std::string_view kInfrastructureGroup = "infrastructure.millwright.dev";
inline constexpr std::string_view kBootstrapGroup = "bootstrap.millwright.dev";
inline constexpr std::string_view kControlPlaneGroup = "controlplane.millwright.dev";

inline constexpr std::string_view kInstanceKind = "MillwrightMachine";
inline constexpr std::string_view kBootstrapKind = "MillwrightBootstrap";
inline constexpr std::string_view kFinalizer = "infrastructure.millwright.dev/machine";
inline constexpr std::string_view kTokenFinalizer = "bootstrap.millwright.dev/token";
// The UID that the cloud knows an instance by. An object that is moved to another cluster gets a
// new one of its own.
inline constexpr std::string_view kMadeFor = "infrastructure.millwright.dev/made-for";

extern const kube::GroupVersionResource kInstances;
extern const kube::GroupVersionResource kInfrastructures;  // of clusters
extern const kube::GroupVersionResource kBootstraps;
extern const kube::GroupVersionResource kControlPlanes;

// Their definitions, with the labels that say which contract they keep.
std::vector<boost::json::object> Crds();

}  // namespace millwright::controllers::supply
