// Whether an object has the shape that applying relies on.
#pragma once

#include <boost/json/value.hpp>

#include "base/result.h"
#include "kube/api/typed_shape.h"

namespace millwright::kube {

enum class Duplicates { kRefused, kAllowed };

// Types as the schema has them, no undeclared field, every item of a merged list with an identity.
// Fails with kInvalid in the words of a kube-apiserver: .spec.foo: field not declared in schema.
Result<void> CheckShape(const Shape& shape, const boost::json::value& value, Duplicates duplicates);

}  // namespace millwright::kube
