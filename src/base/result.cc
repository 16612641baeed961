#include "base/result.h"

namespace millwright {

std::string_view ToString(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kNotFound: return "not found";
    case ErrorKind::kAlreadyExists: return "already exists";
    case ErrorKind::kConflict: return "conflict";
    case ErrorKind::kExpired: return "expired";
    case ErrorKind::kThrottled: return "throttled";
    case ErrorKind::kNoCapacity: return "no capacity";
    case ErrorKind::kUnavailable: return "unavailable";
    case ErrorKind::kInDoubt: return "in doubt";
    case ErrorKind::kInvalid: return "invalid";
    case ErrorKind::kUnauthenticated: return "unauthenticated";
    case ErrorKind::kPermission: return "permission";
    case ErrorKind::kCancelled: return "cancelled";
    case ErrorKind::kInternal: return "internal";
  }
  return "unknown";
}

}  // namespace millwright
