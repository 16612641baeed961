#include "kube/runtime/retry_policy.h"

namespace millwright::kube {

Retry RetryFor(const Error& error) {
  switch (error.kind()) {
    case ErrorKind::kThrottled: return Retry::kAfterHint;
    case ErrorKind::kInvalid: return Retry::kSlowly;
    case ErrorKind::kCancelled: return Retry::kNever;
    // A server that has just started refuses everybody until it has read its roles.
    case ErrorKind::kUnauthenticated:
    case ErrorKind::kPermission:
    case ErrorKind::kNotFound:
    case ErrorKind::kAlreadyExists:
    case ErrorKind::kConflict:
    case ErrorKind::kExpired:
    case ErrorKind::kNoCapacity:
    case ErrorKind::kUnavailable:
    case ErrorKind::kInDoubt:
    case ErrorKind::kInternal: return error.retry_after() ? Retry::kAfterHint : Retry::kBackOff;
  }
  return Retry::kBackOff;
}

}  // namespace millwright::kube
