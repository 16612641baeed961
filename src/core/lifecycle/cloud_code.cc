#include "core/lifecycle/cloud_code.h"

#include <array>

namespace millwright::core {
namespace {

constexpr std::array<std::string_view, 18> kNames = {
    "OK",       "Canceled",        "Unknown",          "InvalidArgument",   "DeadlineExceeded",
    "NotFound", "AlreadyExists",   "PermissionDenied", "ResourceExhausted", "FailedPrecondition",
    "Aborted",  "OutOfRange",      "Unimplemented",    "Internal",          "Unavailable",
    "DataLoss", "Unauthenticated", "Uninitialized",
};

}  // namespace

std::string_view ToString(CloudCode code) { return kNames.at(static_cast<size_t>(code)); }

std::optional<CloudCode> ParseCloudCode(std::string_view name) {
  for (size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<CloudCode>(i);
  }
  return std::nullopt;
}

bool IsPassing(CloudCode code) {
  switch (code) {
    case CloudCode::kUnknown:
    case CloudCode::kDeadlineExceeded:
    case CloudCode::kAborted:
    case CloudCode::kUnavailable: return true;
    case CloudCode::kOk:
    case CloudCode::kCanceled:
    case CloudCode::kInvalidArgument:
    case CloudCode::kNotFound:
    case CloudCode::kAlreadyExists:
    case CloudCode::kPermissionDenied:
    case CloudCode::kResourceExhausted:
    case CloudCode::kFailedPrecondition:
    case CloudCode::kOutOfRange:
    case CloudCode::kUnimplemented:
    case CloudCode::kInternal:
    case CloudCode::kDataLoss:
    case CloudCode::kUnauthenticated:
    case CloudCode::kUninitialized: return false;
  }
  return false;
}

}  // namespace millwright::core
