// Versions of objects and lists, in the order the server made them.
#pragma once

#include <compare>

#include "base/id.h"

namespace millwright::kube {

// Opaque to everyone but CompareResourceVersions. Empty means none is known.
using ResourceVersion = Id<struct ResourceVersionTag>;

// Which of two versions of the same resource is the newer, as Kubernetes allows since 1.35: by
// number, of any length. Unordered unless both are whole numbers above zero without leading zeros
// ("0" asks for any version, it is not one), but a version is always equivalent to itself.
std::partial_ordering CompareResourceVersions(const ResourceVersion& a, const ResourceVersion& b);

}  // namespace millwright::kube
