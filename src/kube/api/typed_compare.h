// What changed between two objects.
#pragma once

#include <boost/json/value.hpp>

#include "kube/api/field_set.h"
#include "kube/api/typed_shape.h"

namespace millwright::kube {

struct Comparison {
  FieldSet added;     // with everything that was added below
  FieldSet modified;  // scalars, and lists and maps that are replaced as a whole
  FieldSet removed;

  bool empty() const { return added.empty() && modified.empty() && removed.empty(); }

  // Without these fields and all below them.
  Comparison Without(const FieldSet& fields) const;
};

Comparison Compare(const Shape& shape, const boost::json::value& before,
                   const boost::json::value& after);

}  // namespace millwright::kube
