// What a server is taught before its machines can be declared.
#pragma once

#include <functional>
#include <string>

#include "base/clock.h"
#include "kube/client/client.h"

namespace millwright::cli {

// What is there already stays as it is, so that nobody's changes are undone.
Task<Result<void>> CreateOnce(kube::Client& client, kube::GroupVersionResource resource,
                              kube::ObjectKey key, std::string body);

// Kinds are served a moment after they were defined: `prepare` is repeated until then.
Task<Result<void>> PrepareInTime(Clock& clock, std::function<Task<Result<void>>()> prepare);

}  // namespace millwright::cli
