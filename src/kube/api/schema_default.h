// Filling in the defaults of a schema.
#pragma once

#include <boost/json/value.hpp>

#include "base/result.h"
#include "kube/api/schema.h"

namespace millwright::kube {

// Removes nulls that the schema does not allow and has no default for, then fills in every default
// that is missing: in present objects, in the items of lists, in the values of maps, and inside of
// defaults just filled in. An absent object is not made up unless it has a default itself.
Result<void> ApplyDefaults(const Schema& schema, boost::json::value& resource);

}  // namespace millwright::kube
