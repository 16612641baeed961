// Discovery in one document: every group, version and resource at once. Pure.
#pragma once

#include <string_view>

#include <boost/json/object.hpp>

#include "apiserver/resources/registry.h"

namespace millwright::apiserver {

enum class AggregatedPart {
  kCore,    // /api: the core group alone
  kGroups,  // /apis: all others
};

// An APIGroupDiscoveryList. `version` is that of apidiscovery.k8s.io, "v2" or "v2beta1"; the two
// differ in nothing else.
boost::json::object AggregatedDocument(const Registry& registry, AggregatedPart part,
                                       std::string_view version);

}  // namespace millwright::apiserver
