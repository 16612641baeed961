#include "apiserver/rest/failures.h"

#include <fmt/format.h>

namespace millwright::apiserver {

namespace {

kube::StatusDetails About(const Resource& resource, std::string_view name) {
  return {.name = std::string(name),
          .group = resource.kind.group,
          .kind = resource.plural,
          .uid = {},
          .causes = {},
          .retry_after_seconds = 0};
}

Failure Say(int code, std::string_view reason, std::string message,
            kube::StatusDetails details = {}) {
  return Refuse({.status = "Failure",
                 .message = std::move(message),
                 .reason = std::string(reason),
                 .details = std::move(details),
                 .code = code});
}

std::string Joined(const std::vector<kube::FieldError>& errors) {
  if (errors.size() == 1) return kube::ToString(errors.front());
  std::string text;
  for (const kube::FieldError& error : errors) {
    text += (text.empty() ? "[" : ", ") + kube::ToString(error);
  }
  return text + "]";
}

}  // namespace

kube::Status StatusOf(const Error& error) {
  if (const auto* detail = error.detail<kube::StatusDetail>()) return detail->status();
  const auto plain = [&](int code, std::string_view reason) {
    return kube::Status{.status = "Failure",
                        .message = error.message(),
                        .reason = std::string(reason),
                        .details = {},
                        .code = code};
  };
  switch (error.kind()) {
    case ErrorKind::kInvalid: return plain(400, "BadRequest");
    case ErrorKind::kExpired: return plain(410, "Expired");
    case ErrorKind::kUnavailable:
    case ErrorKind::kCancelled: return plain(503, "ServiceUnavailable");
    case ErrorKind::kNotFound:
    case ErrorKind::kAlreadyExists:
    case ErrorKind::kConflict:
    case ErrorKind::kThrottled:
    case ErrorKind::kNoCapacity:
    case ErrorKind::kInDoubt:
    case ErrorKind::kUnauthenticated:
    case ErrorKind::kPermission:
    case ErrorKind::kInternal: break;
  }
  kube::Status status = plain(500, "InternalError");
  status.message = "Internal error occurred: " + error.message();
  status.details.causes = {{.reason = "", .message = error.message(), .field = ""}};
  return status;
}

Failure Refuse(kube::Status status) { return Failure(kube::ErrorFrom(std::move(status))); }

Failure NotFound(const Resource& resource, std::string_view name) {
  return Say(404, "NotFound", fmt::format("{} \"{}\" not found", resource.QualifiedName(), name),
             About(resource, name));
}

Failure AlreadyExists(const Resource& resource, std::string_view name) {
  return Say(409, "AlreadyExists",
             fmt::format("{} \"{}\" already exists", resource.QualifiedName(), name),
             About(resource, name));
}

Failure Conflict(const Resource& resource, std::string_view name, std::string_view why) {
  return Say(409, "Conflict",
             fmt::format("Operation cannot be fulfilled on {} \"{}\": {}", resource.QualifiedName(),
                         name, why),
             About(resource, name));
}

Failure Modified(const Resource& resource, std::string_view name) {
  return Conflict(resource, name,
                  "the object has been modified; please apply your changes to the latest version "
                  "and try again");
}

Failure Invalid(std::string_view group, std::string_view kind, std::string_view name,
                const std::vector<kube::FieldError>& errors) {
  kube::StatusDetails details{.name = std::string(name),
                              .group = std::string(group),
                              .kind = std::string(kind),
                              .uid = {},
                              .causes = {},
                              .retry_after_seconds = 0};
  for (const kube::FieldError& error : errors) {
    details.causes.push_back({.reason = std::string(kube::Reason(error.type)),
                              .message = kube::Message(error),
                              .field = error.field.empty() ? "<nil>" : error.field});
  }
  const std::string what = fmt::format("{}{}{}", kind, group.empty() ? "" : ".", group);
  return Say(422, "Invalid", fmt::format("{} \"{}\" is invalid: {}", what, name, Joined(errors)),
             std::move(details));
}

Failure InvalidObject(const Resource& resource, std::string_view name,
                      const std::vector<kube::FieldError>& errors) {
  return Invalid(resource.kind.group, resource.kind.kind, name, errors);
}

Failure InvalidOptions(std::string_view kind, const std::vector<kube::FieldError>& errors) {
  return Invalid(kind.empty() ? "" : "meta.k8s.io", kind, "", errors);
}

Failure BadRequest(std::string message) { return Say(400, "BadRequest", std::move(message)); }

Failure Forbidden(const Resource& resource, std::string_view name, std::string_view why) {
  const std::string what = name.empty() ? resource.QualifiedName()
                                        : fmt::format("{} \"{}\"", resource.QualifiedName(), name);
  return Say(403, "Forbidden", fmt::format("{} is forbidden: {}", what, why),
             About(resource, name));
}

Failure NoSuchPath() {
  return Say(404, "NotFound", "the server could not find the requested resource");
}

Failure MethodNotAllowed() {
  return Say(405, "MethodNotAllowed",
             "the server does not allow this method on the requested resource");
}

Failure UnsupportedMediaType(std::string_view accepted) {
  return Say(415, "UnsupportedMediaType",
             fmt::format("the body of the request was in an unknown format - accepted media types "
                         "include: {}",
                         accepted));
}

Failure NotAcceptable(std::string_view accepted) {
  return Say(406, "NotAcceptable",
             fmt::format("only the following media types are accepted: {}", accepted));
}

Failure TooManyRequests(std::string message, int retry_after_seconds) {
  kube::StatusDetails details;
  details.retry_after_seconds = retry_after_seconds;
  return Say(429, "TooManyRequests", std::move(message), std::move(details));
}

Failure Expired(std::string message) { return Say(410, "Expired", std::move(message)); }

Failure TooLargeResourceVersion(Revision asked, Revision now) {
  kube::StatusDetails details;
  details.retry_after_seconds = 1;
  details.causes = {
      {.reason = "ResourceVersionTooLarge", .message = "Too large resource version", .field = ""}};
  return Say(504, "Timeout",
             fmt::format("Timeout: Too large resource version: {}, current: {}", asked, now),
             std::move(details));
}

}  // namespace millwright::apiserver
