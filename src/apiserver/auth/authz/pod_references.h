// Which objects of its namespace a pod needs to run: what its node may read. Pure.
#pragma once

#include <string_view>

#include <boost/json/value.hpp>

namespace millwright::apiserver {

// `resource`: "secrets", "configmaps", "persistentvolumeclaims" or "serviceaccounts".
bool PodRefersTo(const boost::json::value& pod, std::string_view resource, std::string_view name);

}  // namespace millwright::apiserver
