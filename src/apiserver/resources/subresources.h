// The endpoints below the objects of a kind.
#pragma once

#include <vector>

#include "apiserver/resources/resource.h"

namespace millwright::apiserver {

// Those for the status and the scale too, in the order in which discovery lists them.
std::vector<Subresource> SubresourcesOf(const Resource& resource);

}  // namespace millwright::apiserver
