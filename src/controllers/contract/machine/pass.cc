#include "controllers/contract/machine/pass.h"

#include <algorithm>

namespace millwright::controllers::contract {

Error Joined(std::vector<Error> errors) {
  const auto passing = std::ranges::find_if(errors, [](const Error& error) {
    return error.kind() != ErrorKind::kInvalid && error.kind() != ErrorKind::kPermission;
  });
  const Error& leading = passing != errors.end() ? *passing : errors.front();
  std::string message;
  for (const Error& error : errors) {
    if (!message.empty()) message += "; ";
    message += error.message();
  }
  return Error(leading.kind(), std::move(message)).WithRetryAfter(leading.retry_after());
}

}  // namespace millwright::controllers::contract
