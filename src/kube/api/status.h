// Kubernetes' way to say what went wrong, and its place among our errors.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/json/fwd.hpp>

#include "base/result.h"

namespace millwright::kube {

// One of several things that are wrong, usually with one field.
struct StatusCause {
  std::string reason;  // machine-readable: "FieldValueInvalid", "DisruptionBudget"
  std::string message;
  std::string field;  // "spec.replicas"

  friend bool operator==(const StatusCause&, const StatusCause&) = default;
};

// What the failure is about. All of it may be empty.
struct StatusDetails {
  std::string name;
  std::string group;
  std::string kind;  // often the resource ("pods"), not the kind
  std::string uid;
  std::vector<StatusCause> causes;
  int64_t retry_after_seconds = 0;

  friend bool operator==(const StatusDetails&, const StatusDetails&) = default;
};

// metav1.Status.
struct Status {
  std::string status = "Failure";  // or "Success"
  std::string message;
  std::string reason;  // machine-readable: "NotFound", "AlreadyExists"
  StatusDetails details;
  int code = 0;  // that of HTTP

  friend bool operator==(const Status&, const Status&) = default;
};

// The status if the value is one, as in an ERROR event of a watch. Fields of a wrong type are
// passed over: an error about an error helps nobody.
std::optional<Status> DecodeStatus(const boost::json::value& value);

boost::json::object EncodeStatus(const Status& status);

// The status of a failed answer, whatever its body is: a proxy's HTML page becomes a status with
// the reason that the code stands for and the beginning of the text.
Status ParseStatus(int http_status, std::string_view body);

// Carried by every error that came from a Kubernetes API server.
class StatusDetail final : public ErrorDetail {
 public:
  explicit StatusDetail(Status status) : status_(std::move(status)) {}
  const Status& status() const { return status_; }

 private:
  Status status_;
};

// What the caller can do about it. How long to wait is in the header, else in the status.
Error ErrorFrom(Status status,
                std::optional<std::chrono::seconds> retry_after_header = std::nullopt);
Error ErrorFrom(int http_status, std::string_view body,
                std::optional<std::chrono::seconds> retry_after_header = std::nullopt);

// A "not found" that is not about an object: the server does not serve this resource or path at all
// (a CRD is not installed, a version is gone). Absence of the object must not be concluded from it.
bool IsMissingResourceType(const Error& error);

}  // namespace millwright::kube
