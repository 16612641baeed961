#include "kube/api/status.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

namespace millwright::kube {
namespace {

// Messages end up in events and conditions, which have limits of their own.
constexpr size_t kMaxMessage = 2048;

// Nobody means more than this, and it keeps the arithmetic on durations safe.
constexpr std::chrono::seconds kLongestWait = std::chrono::hours(24);

struct ReasonKind {
  std::string_view reason;
  ErrorKind kind;
};

// "Timeout" is the server giving up on a request that it may have carried out; "ServerTimeout" is
// one that asks to be called again because it did not.
constexpr std::array<ReasonKind, 18> kReasons = {{
    {"NotFound", ErrorKind::kNotFound},
    {"AlreadyExists", ErrorKind::kAlreadyExists},
    {"Conflict", ErrorKind::kConflict},
    {"Expired", ErrorKind::kExpired},
    {"Gone", ErrorKind::kExpired},
    {"TooManyRequests", ErrorKind::kThrottled},
    {"Unauthorized", ErrorKind::kUnauthenticated},
    {"Forbidden", ErrorKind::kPermission},
    {"BadRequest", ErrorKind::kInvalid},
    {"MethodNotAllowed", ErrorKind::kInvalid},
    {"NotAcceptable", ErrorKind::kInvalid},
    {"RequestEntityTooLarge", ErrorKind::kInvalid},
    {"UnsupportedMediaType", ErrorKind::kInvalid},
    {"Invalid", ErrorKind::kInvalid},
    {"InternalError", ErrorKind::kUnavailable},
    {"ServerTimeout", ErrorKind::kUnavailable},
    {"ServiceUnavailable", ErrorKind::kUnavailable},
    {"Timeout", ErrorKind::kInDoubt},
}};

ErrorKind KindOfCode(int code) {
  switch (code) {
    case 401: return ErrorKind::kUnauthenticated;
    case 403: return ErrorKind::kPermission;
    case 404: return ErrorKind::kNotFound;
    case 408: return ErrorKind::kUnavailable;  // our request came too slowly to be begun
    case 409: return ErrorKind::kConflict;
    case 410: return ErrorKind::kExpired;
    case 429: return ErrorKind::kThrottled;
    case 504: return ErrorKind::kInDoubt;
    default: break;
  }
  if (code >= 500) return ErrorKind::kUnavailable;
  if (code >= 300) return ErrorKind::kInvalid;
  return ErrorKind::kInternal;  // a success is no error: somebody called us by mistake
}

// The reason is the more exact of the two, but newer servers may have reasons that we do not know.
ErrorKind KindOf(const Status& status) {
  const auto found = std::ranges::find(kReasons, status.reason, &ReasonKind::reason);
  return found == kReasons.end() ? KindOfCode(status.code) : found->kind;
}

std::string MessageOf(const Status& status, ErrorKind kind) {
  std::string message = status.message;
  if (message.empty()) message = fmt::format("HTTP {} {}", status.code, status.reason);
  if (message.size() > kMaxMessage) {
    size_t end = kMaxMessage;
    while (end > 0 && (static_cast<unsigned char>(message[end]) & 0xC0U) == 0x80U)
      --end;  // whole characters
    message.resize(end);
    message += "...";
  }
  // The one answer of the server that says nothing at all: "Unauthorized".
  if (kind == ErrorKind::kUnauthenticated)
    return "the server does not accept our credentials: " + message;
  return message;
}

std::optional<std::chrono::nanoseconds> RetryAfter(const Status& status,
                                                   std::optional<std::chrono::seconds> header) {
  auto wait = header.value_or(std::chrono::seconds(status.details.retry_after_seconds));
  if (!header && wait.count() == 0) return std::nullopt;
  return std::clamp(wait, std::chrono::seconds(0), kLongestWait);
}

}  // namespace

Error ErrorFrom(Status status, std::optional<std::chrono::seconds> retry_after_header) {
  const ErrorKind kind = KindOf(status);
  Error error(kind, MessageOf(status, kind));
  const auto retry_after = RetryAfter(status, retry_after_header);
  return std::move(error)
      .WithRetryAfter(retry_after)
      .WithDetail(std::make_shared<StatusDetail>(std::move(status)));
}

Error ErrorFrom(int http_status, std::string_view body,
                std::optional<std::chrono::seconds> retry_after_header) {
  return ErrorFrom(ParseStatus(http_status, body), retry_after_header);
}

bool IsMissingResourceType(const Error& error) {
  const auto* detail = error.detail<StatusDetail>();
  return error.kind() == ErrorKind::kNotFound && detail != nullptr &&
         detail->status().details.name.empty();
}

}  // namespace millwright::kube
