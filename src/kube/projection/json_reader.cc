#include "kube/projection/json_reader.h"

#include <limits>

namespace millwright::kube {

bool IsNull(JsonValue& value) {
  bool is_null = false;
  return value.is_null().get(is_null) == simdjson::SUCCESS && is_null;
}

Error JsonError(simdjson::error_code code) {
  return Error(ErrorKind::kInvalid,
               std::string("not valid JSON: ") + simdjson::error_message(code));
}

Result<void> ReadInto(JsonValue value, std::string& target) {
  if (IsNull(value)) return {};
  std::string_view text;
  if (value.get_string().get(text)) return Fail(ErrorKind::kInvalid, "is not text");
  target = text;
  return {};
}

Result<void> ReadInto(JsonValue value, bool& target) {
  if (IsNull(value)) return {};
  if (value.get_bool().get(target)) return Fail(ErrorKind::kInvalid, "is not true or false");
  return {};
}

Result<void> ReadInto(JsonValue value, std::int64_t& target) {
  if (IsNull(value)) return {};
  if (value.get_int64().get(target)) return Fail(ErrorKind::kInvalid, "is not a whole number");
  return {};
}

Result<void> ReadInto(JsonValue value, std::int32_t& target) {
  std::int64_t wide = target;
  CHECK_OK(ReadInto(value, wide));
  if (wide < std::numeric_limits<std::int32_t>::min() ||
      wide > std::numeric_limits<std::int32_t>::max()) {
    return Fail(ErrorKind::kInvalid, "is out of range");
  }
  target = static_cast<std::int32_t>(wide);
  return {};
}

Result<void> ReadInto(JsonValue value, WallTime& target) {
  if (IsNull(value)) return {};
  std::string_view text;
  if (value.get_string().get(text)) return Fail(ErrorKind::kInvalid, "is not text");
  TRY(target, ParseTime(text));
  return {};
}

Result<void> ReadInto(JsonValue value, std::map<std::string, std::string>& target) {
  return ForEachField(value, [&](std::string_view key, JsonValue item) {
    return ReadInto(item, target[std::string(key)]);
  });
}

Result<void> ReadInto(JsonValue value, std::vector<std::string>& target) {
  return ForEachItem(value, [&](JsonValue item) { return ReadInto(item, target.emplace_back()); });
}

}  // namespace millwright::kube
