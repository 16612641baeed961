#include "providers/cloud.h"

#include <fmt/format.h>

namespace millwright::providers {

namespace {

ErrorKind KindOf(core::CloudCode code) {
  using enum core::CloudCode;
  switch (code) {
    case kNotFound: return ErrorKind::kNotFound;
    case kAlreadyExists: return ErrorKind::kAlreadyExists;
    case kInvalidArgument:
    case kFailedPrecondition:
    case kOutOfRange: return ErrorKind::kInvalid;
    case kResourceExhausted: return ErrorKind::kNoCapacity;
    case kUnavailable:
    case kAborted: return ErrorKind::kUnavailable;
    case kDeadlineExceeded:
    case kUnknown: return ErrorKind::kInDoubt;
    case kPermissionDenied: return ErrorKind::kPermission;
    case kUnauthenticated: return ErrorKind::kUnauthenticated;
    case kCanceled: return ErrorKind::kCancelled;
    case kOk:
    case kUnimplemented:
    case kInternal:
    case kDataLoss:
    case kUninitialized: return ErrorKind::kInternal;
  }
  return ErrorKind::kInternal;
}

}  // namespace

Failure FailCloud(core::CloudCode code, std::string message) {
  return Failure(
      Error(KindOf(code), std::move(message)).WithDetail(std::make_shared<CloudFailure>(code)));
}

std::optional<core::CloudCode> CodeOf(const Error& error) {
  const auto* failure = error.detail<CloudFailure>();
  if (failure == nullptr) return std::nullopt;
  return failure->code;
}

Task<Result<Instance>> Cloud::Initialize(std::shared_ptr<const InstanceClass>, CreateRequest) {
  co_return FailCloud(core::CloudCode::kUnimplemented, "this cloud initializes nothing");
}

Task<Result<std::vector<std::string>>> Cloud::VolumeIds(std::shared_ptr<const InstanceClass>,
                                                        std::vector<std::string>) {
  co_return FailCloud(core::CloudCode::kUnimplemented, "this cloud knows no volumes");
}

Result<Cloud*> CloudRegistry::Find(std::string_view provider) const {
  const auto found = clouds_.find(provider);
  if (found != clouds_.end()) return found->second;
  if (default_ != nullptr) return default_;
  std::string known;
  for (const auto& [name, cloud] : clouds_) known += (known.empty() ? "" : ", ") + name;
  return Fail(ErrorKind::kInvalid,
              fmt::format("no provider '{}' here; there is: {}", provider, known));
}

}  // namespace millwright::providers
