// The codes in which clouds report what went wrong; the numbers and names are part of several APIs.
#pragma once

#include <optional>
#include <string_view>

namespace millwright::core {

enum class CloudCode {
  kOk = 0,
  kCanceled = 1,
  kUnknown = 2,
  kInvalidArgument = 3,
  kDeadlineExceeded = 4,
  kNotFound = 5,
  kAlreadyExists = 6,
  kPermissionDenied = 7,
  kResourceExhausted = 8,
  kFailedPrecondition = 9,
  kAborted = 10,
  kOutOfRange = 11,
  kUnimplemented = 12,
  kInternal = 13,
  kUnavailable = 14,
  kDataLoss = 15,
  kUnauthenticated = 16,
  kUninitialized = 17,
};

std::string_view ToString(CloudCode code);
std::optional<CloudCode> ParseCloudCode(std::string_view name);

// The same request may well work in a moment.
bool IsPassing(CloudCode code);

}  // namespace millwright::core
