// The refusals of an API server, each with the Status that clients know.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apiserver/resources/resource.h"
#include "apiserver/store/record.h"
#include "base/result.h"
#include "kube/api/status.h"

namespace millwright::apiserver {

// The Status of any error; one that carries none is an internal error.
kube::Status StatusOf(const Error& error);

Failure Refuse(kube::Status status);

Failure NotFound(const Resource& resource, std::string_view name);
Failure AlreadyExists(const Resource& resource, std::string_view name);
// Somebody else was faster.
Failure Modified(const Resource& resource, std::string_view name);
// "Operation cannot be fulfilled on ...: <why>".
Failure Conflict(const Resource& resource, std::string_view name, std::string_view why);
Failure InvalidObject(const Resource& resource, std::string_view name,
                      const std::vector<kube::FieldError>& errors);
// The same for what is no stored object of a resource.
Failure Invalid(std::string_view group, std::string_view kind, std::string_view name,
                const std::vector<kube::FieldError>& errors);
// Wrong parameters; `kind` is "ListOptions" and the like.
Failure InvalidOptions(std::string_view kind, const std::vector<kube::FieldError>& errors);
Failure BadRequest(std::string message);
Failure Forbidden(const Resource& resource, std::string_view name, std::string_view why);
// A path that leads nowhere.
Failure NoSuchPath();
Failure MethodNotAllowed();
Failure UnsupportedMediaType(std::string_view accepted);
Failure NotAcceptable(std::string_view accepted);
Failure TooManyRequests(std::string message, int retry_after_seconds);
Failure Expired(std::string message);
// A list or watch of a time that has not come.
Failure TooLargeResourceVersion(Revision asked, Revision now);

}  // namespace millwright::apiserver
