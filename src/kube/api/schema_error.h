// What is wrong with a field, said as a kube-apiserver says it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/json/value.hpp>

#include "base/result.h"

namespace millwright::kube {

enum class FieldErrorType {
  kRequired,
  kInvalid,
  kTypeInvalid,
  kNotSupported,
  kDuplicate,
  kForbidden,
  kTooLong,
  kTooMany,
  kNotFound,
};

struct FieldError {
  FieldErrorType type = FieldErrorType::kInvalid;
  std::string field{};      // "spec.replicas"; empty for an error about no field in particular
  std::string bad_value{};  // as shown; empty, or of a type that does not show it: left out
  std::string detail{};

  friend bool operator==(const FieldError&, const FieldError&) = default;
};

// The reason of a Status cause: FieldValueInvalid and so on.
std::string_view Reason(FieldErrorType type);

// The message of a Status cause: Invalid value: -1: spec.replicas in body should be ...
std::string Message(const FieldError& error);

// The field and the message. An empty field is shown as <nil>, as the real server does.
std::string ToString(const FieldError& error);

FieldError RequiredError(std::string field, std::string detail);
FieldError InvalidError(std::string field, const boost::json::value& bad_value, std::string detail);
FieldError ForbiddenError(std::string field, std::string detail);
FieldError DuplicateError(std::string field, const boost::json::value& bad_value);
FieldError NotSupportedError(std::string field, const boost::json::value& bad_value,
                             const std::vector<std::string>& supported);

// Carried by a kInvalid error, for who wants the causes and not only the text.
class FieldErrors final : public ErrorDetail {
 public:
  explicit FieldErrors(std::vector<FieldError> errors) : errors_(std::move(errors)) {}
  const std::vector<FieldError>& errors() const { return errors_; }

 private:
  std::vector<FieldError> errors_;
};

// One kInvalid error for all: a single text as it is, several as "[a, b]", with the detail above.
Error InvalidFields(std::vector<FieldError> errors);

// Paths of fields as field errors write them: spec.list[0].map[key].
std::string PathChild(std::string_view path, std::string_view name);
std::string PathKey(std::string_view path, std::string_view key);
std::string PathIndex(std::string_view path, std::size_t index);

}  // namespace millwright::kube
