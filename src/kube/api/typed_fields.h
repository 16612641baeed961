// The fields of an object as a set.
#pragma once

#include <boost/json/value.hpp>

#include "kube/api/field_set.h"
#include "kube/api/typed_shape.h"

namespace millwright::kube {

// What an applied object claims: its scalars and what is replaced as a whole, the items of merged
// lists, the keys of maps, and fields that are null or an empty object. A declared object or list
// that has something in it is not claimed itself: it is there because of its parts.
FieldSet FieldsOf(const Shape& shape, const boost::json::value& value);

// The set with every declared field added that leads to a member.
FieldSet WithDeclaredFields(const Shape& shape, const FieldSet& set);

// The set for a schema that may have changed since it was written: parts of what is now replaced as
// a whole become the whole.
FieldSet AdjustedTo(const Shape& shape, const FieldSet& set);

}  // namespace millwright::kube
