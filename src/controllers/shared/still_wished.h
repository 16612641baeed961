// A decision to make something, looked at once more before it is carried out.
#pragma once

#include "base/result.h"
#include "base/task.h"
#include "kube/client/client.h"

namespace millwright::controllers {

// Fails with kConflict if the owner's wish is another one by now, or the owner is gone. Whoever was
// paused, or has just begun, may see the past, and what he makes collides with nothing.
Task<Result<void>> StillWished(kube::Client& client, kube::GroupVersionResource resource,
                               kube::Meta owner);

}  // namespace millwright::controllers
