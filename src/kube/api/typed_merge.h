// Laying an applied object over a live one.
#pragma once

#include <boost/json/value.hpp>

#include "kube/api/typed_shape.h"

namespace millwright::kube {

// Everything of both; where both have something to say, the applied object wins. Nothing is
// removed: that is decided by ownership.
//
// The order of a merged list follows structured-merge-diff: items in both lists come in the applied
// order; items only in the live list stay behind the live item they followed, and before applied
// ones where there is a choice; items only in the applied list come where the applied order has
// them.
boost::json::value Merge(const Shape& shape, const boost::json::value& live,
                         const boost::json::value& applied);

}  // namespace millwright::kube
