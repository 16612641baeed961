// What a failed reconcile leads to. Reconcilers never sleep to retry: they return the error.
#pragma once

#include "base/result.h"

namespace millwright::kube {

enum class Retry {
  kBackOff,    // exponentially, per key
  kAfterHint,  // no earlier than the server asked
  kSlowly,     // only a person can help, but look again now and then; a change wakes it at once
  kNever,      // we are stopping
};

Retry RetryFor(const Error& error);

}  // namespace millwright::kube
