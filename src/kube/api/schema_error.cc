#include "kube/api/schema_error.h"

#include <memory>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "kube/api/typed_text.h"

namespace millwright::kube {

namespace {

// A message is to be read; a value of megabytes in each of many errors would only fill memory.
constexpr std::size_t kMaxShown = 10'000;

std::string_view Words(FieldErrorType type) {
  switch (type) {
    case FieldErrorType::kRequired: return "Required value";
    case FieldErrorType::kInvalid:
    case FieldErrorType::kTypeInvalid: return "Invalid value";
    case FieldErrorType::kNotSupported: return "Unsupported value";
    case FieldErrorType::kDuplicate: return "Duplicate value";
    case FieldErrorType::kForbidden: return "Forbidden";
    case FieldErrorType::kTooLong: return "Too long";
    case FieldErrorType::kTooMany: return "Too many";
    case FieldErrorType::kNotFound: return "Not found";
  }
  return "";
}

bool ShowsValue(FieldErrorType type) {
  return type != FieldErrorType::kRequired && type != FieldErrorType::kForbidden &&
         type != FieldErrorType::kTooLong;
}

std::string Shown(const boost::json::value& value) {
  std::string text = ValueText(value);
  if (text.size() > kMaxShown) text = text.substr(0, kMaxShown) + "...";
  return text;
}

}  // namespace

std::string_view Reason(FieldErrorType type) {
  switch (type) {
    case FieldErrorType::kRequired: return "FieldValueRequired";
    case FieldErrorType::kInvalid: return "FieldValueInvalid";
    case FieldErrorType::kTypeInvalid: return "FieldValueTypeInvalid";
    case FieldErrorType::kNotSupported: return "FieldValueNotSupported";
    case FieldErrorType::kDuplicate: return "FieldValueDuplicate";
    case FieldErrorType::kForbidden: return "FieldValueForbidden";
    case FieldErrorType::kTooLong: return "FieldValueTooLong";
    case FieldErrorType::kTooMany: return "FieldValueTooMany";
    case FieldErrorType::kNotFound: return "FieldValueNotFound";
  }
  return "";
}

std::string Message(const FieldError& error) {
  std::string text(Words(error.type));
  if (ShowsValue(error.type) && !error.bad_value.empty()) text += ": " + error.bad_value;
  if (!error.detail.empty()) text += ": " + error.detail;
  return text;
}

std::string ToString(const FieldError& error) {
  return (error.field.empty() ? "<nil>" : error.field) + ": " + Message(error);
}

FieldError RequiredError(std::string field, std::string detail) {
  return {
      .type = FieldErrorType::kRequired, .field = std::move(field), .detail = std::move(detail)};
}

FieldError InvalidError(std::string field, const boost::json::value& bad_value,
                        std::string detail) {
  return {.type = FieldErrorType::kInvalid,
          .field = std::move(field),
          .bad_value = Shown(bad_value),
          .detail = std::move(detail)};
}

FieldError ForbiddenError(std::string field, std::string detail) {
  return {
      .type = FieldErrorType::kForbidden, .field = std::move(field), .detail = std::move(detail)};
}

FieldError DuplicateError(std::string field, const boost::json::value& bad_value) {
  return {
      .type = FieldErrorType::kDuplicate, .field = std::move(field), .bad_value = Shown(bad_value)};
}

FieldError NotSupportedError(std::string field, const boost::json::value& bad_value,
                             const std::vector<std::string>& supported) {
  std::string detail;
  for (const auto& value : supported) {
    detail += (detail.empty() ? "supported values: " : ", ") + QuotedText(value);
  }
  return {.type = FieldErrorType::kNotSupported,
          .field = std::move(field),
          .bad_value = Shown(bad_value),
          .detail = std::move(detail)};
}

Error InvalidFields(std::vector<FieldError> errors) {
  std::string text;
  for (const auto& error : errors) text += (text.empty() ? "" : ", ") + ToString(error);
  if (errors.size() > 1) text = "[" + text + "]";
  return Error(ErrorKind::kInvalid, std::move(text))
      .WithDetail(std::make_shared<const FieldErrors>(std::move(errors)));
}

std::string PathChild(std::string_view path, std::string_view name) {
  return path.empty() ? std::string(name) : fmt::format("{}.{}", path, name);
}

std::string PathKey(std::string_view path, std::string_view key) {
  return fmt::format("{}[{}]", path, key);
}

std::string PathIndex(std::string_view path, std::size_t index) {
  return fmt::format("{}[{}]", path, index);
}

}  // namespace millwright::kube
