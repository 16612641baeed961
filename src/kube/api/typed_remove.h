// Taking fields out of an object.
#pragma once

#include <boost/json/value.hpp>

#include "kube/api/field_set.h"
#include "kube/api/typed_shape.h"

namespace millwright::kube {

// The value without the members of the set. What loses its last part stays, empty, unless it is a
// member itself. What is replaced as a whole is taken as a whole or not at all.
boost::json::value Without(const Shape& shape, const boost::json::value& value,
                           const FieldSet& fields);

}  // namespace millwright::kube
