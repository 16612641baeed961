// What a client is told when a webhook stands in the way of its request.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "kube/api/status.h"

namespace millwright::apiserver {

// The webhook said no; the status is its own, made fit for a refusal.
Failure Denied(std::string_view webhook, kube::Status status);

// The webhook could not be asked, and its configuration says that this must not be passed over.
Failure NotAsked(std::string_view webhook, const Error& why);

// A trial run must not have effects, and this webhook may have some.
Failure NoDryRun(std::string_view webhook);

// All webhooks together took too long.
Failure OutOfTime();

}  // namespace millwright::apiserver
