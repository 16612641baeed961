// The end of all objects of a kind whose definition goes.
#pragma once

#include "apiserver/resources/resource.h"
#include "apiserver/store/store.h"
#include "base/clock.h"

namespace millwright::apiserver {

// Marks every object for its end, as a delete request would; those without finalizers go at once.
Task<Result<void>> RemoveInstances(Store& store, const Resource& resource, Clock& clock);

bool HasInstances(const Store& store, const Resource& resource);

// Waits until there are none (kDone), or until the deadline.
Task<Wake> UntilNoInstances(Store& store, const Resource& resource, Clock& clock,
                            SteadyTime deadline);

}  // namespace millwright::apiserver
