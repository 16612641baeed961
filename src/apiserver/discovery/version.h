// Which Kubernetes we say we are.
#pragma once

#include <string_view>

#include <boost/json/object.hpp>

namespace millwright::apiserver {

// The release whose behaviour is ours: clients decide by it what they may ask for. The same that
// tools/kubernetes pins, since that is the one we are compared with.
inline constexpr std::string_view kKubernetesVersion = "1.36.4";

// "1.36".
inline constexpr std::string_view kKubernetesMinorVersion =
    kKubernetesVersion.substr(0, kKubernetesVersion.rfind('.'));

// /version.
boost::json::object VersionDocument();

}  // namespace millwright::apiserver
