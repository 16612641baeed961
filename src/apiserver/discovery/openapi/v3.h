// OpenAPI v3: one document for each version of a group. Pure.
#pragma once

#include <span>
#include <string>

#include "apiserver/resources/resource.h"

namespace millwright::apiserver::openapi {

// As JSON, of all resources of one version of a group.
std::string V3Document(std::span<const ResourcePtr> resources);

}  // namespace millwright::apiserver::openapi
