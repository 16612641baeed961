#include "kube/api/object_field.h"

#include <fmt/format.h>

#include <boost/json.hpp>

namespace millwright::kube {

namespace json = boost::json;

const json::value* PresentField(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  return value == nullptr || value->is_null() ? nullptr : value;
}

Failure WrongField(std::string_view name, std::string_view want) {
  return Fail(ErrorKind::kInvalid, fmt::format("{}: expected {}", name, want));
}

Result<void> ReadField(const json::object& object, std::string_view name, std::string& target) {
  const json::value* value = PresentField(object, name);
  if (value == nullptr) return Ok();
  if (!value->is_string()) return WrongField(name, "a string");
  target = std::string_view(value->get_string());
  return Ok();
}

Result<void> ReadField(const json::object& object, std::string_view name, int64_t& target) {
  const json::value* value = PresentField(object, name);
  if (value == nullptr) return Ok();
  if (!value->is_int64()) return WrongField(name, "a whole number");
  target = value->get_int64();
  return Ok();
}

Result<void> ReadField(const json::object& object, std::string_view name,
                       std::optional<bool>& target) {
  const json::value* value = PresentField(object, name);
  if (value == nullptr) return Ok();
  if (!value->is_bool()) return WrongField(name, "true or false");
  target = value->get_bool();
  return Ok();
}

Result<void> ReadField(const json::object& object, std::string_view name,
                       std::optional<WallTime>& target) {
  std::string text;
  CHECK_OK(ReadField(object, name, text));
  if (text.empty()) return Ok();
  auto time = ParseTime(text);
  if (!time) return Failure(std::move(time).error().Wrap(name));
  target = *time;
  return Ok();
}

}  // namespace millwright::kube
