#include "providers/local/system_failure.h"

#include <cerrno>
#include <string>
#include <system_error>

#include "providers/cloud.h"

namespace millwright::providers {

namespace {

core::CloudCode CodeFor(int error) {
  switch (error) {
    case EACCES:
    case EPERM:
    case EROFS: return core::CloudCode::kPermissionDenied;
    case EAGAIN:
    case EDQUOT:
    case EMFILE:
    case ENFILE:
    case ENOMEM:
    case ENOSPC: return core::CloudCode::kResourceExhausted;
    default: return core::CloudCode::kInternal;
  }
}

}  // namespace

Failure SystemFailure(std::string_view doing, int error) {
  return FailCloud(CodeFor(error),
                   std::string(doing) + ": " + std::generic_category().message(error));
}

}  // namespace millwright::providers
