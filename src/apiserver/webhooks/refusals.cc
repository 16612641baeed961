#include "apiserver/webhooks/refusals.h"

#include <fmt/format.h>

#include "apiserver/rest/failures.h"

namespace millwright::apiserver {

Failure Denied(std::string_view webhook, kube::Status status) {
  status.code = std::max(status.code, 400);
  if (status.status.empty() || status.status == "Success") status.status = "Failure";
  const std::string denied = fmt::format("admission webhook \"{}\" denied the request", webhook);
  if (!status.message.empty()) {
    status.message = fmt::format("{}: {}", denied, status.message);
  } else if (!status.reason.empty()) {
    status.message = fmt::format("{}: {}", denied, status.reason);
  } else {
    status.message = denied + " without explanation";
  }
  return Refuse(std::move(status));
}

Failure NotAsked(std::string_view webhook, const Error& why) {
  return Fail(ErrorKind::kInternal,
              fmt::format("failed calling webhook \"{}\": {}", webhook, why.message()));
}

Failure NoDryRun(std::string_view webhook) {
  return BadRequest(fmt::format("admission webhook \"{}\" does not support dry run", webhook));
}

Failure OutOfTime() {
  return Refuse({.status = "Failure",
                 .message = "Timeout: request did not complete within requested timeout",
                 .reason = "Timeout",
                 .details = {},
                 .code = 504});
}

}  // namespace millwright::apiserver
