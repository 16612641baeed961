// Reading JSON without building it: the fields we want go straight into our values, the rest is
// skipped at the speed of the scanner (simdjson on demand).
//
// Null means absent, as everywhere in Kubernetes: the target keeps what it has. A value of the
// wrong type is kInvalid and names the field.
#pragma once

#include <simdjson.h>

#include <concepts>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/id.h"
#include "base/result.h"
#include "base/time.h"

namespace millwright::kube {

using JsonValue = simdjson::ondemand::value;
using JsonObject = simdjson::ondemand::object;
using JsonArray = simdjson::ondemand::array;

// What simdjson says, as ours.
Error JsonError(simdjson::error_code code);

// Null is the only value that is never an error, so text that is no JSON is not null either:
// whoever reads on will refuse it. (To ask for the type would throw.)
bool IsNull(JsonValue& value);

Result<void> ReadInto(JsonValue value, std::string& target);
Result<void> ReadInto(JsonValue value, bool& target);
Result<void> ReadInto(JsonValue value, std::int64_t& target);
Result<void> ReadInto(JsonValue value, std::int32_t& target);
Result<void> ReadInto(JsonValue value, WallTime& target);
Result<void> ReadInto(JsonValue value, std::map<std::string, std::string>& target);
Result<void> ReadInto(JsonValue value, std::vector<std::string>& target);

template <class Tag>
Result<void> ReadInto(JsonValue value, Id<Tag>& target) {
  std::string text = target.str();
  CHECK_OK(ReadInto(value, text));
  target = Id<Tag>(std::move(text));
  return {};
}

template <class T>
Result<void> ReadInto(JsonValue value, std::optional<T>& target) {
  if (IsNull(value)) return {};
  T read{};
  CHECK_OK(ReadInto(value, read));
  target = std::move(read);
  return {};
}

// Calls `visit(key, value)` for each field of an object, which returns Result<void>. A field that
// is not looked at is skipped. Null is an object without fields.
template <class Visit>
Result<void> ForEachField(JsonObject object, Visit visit) {
  for (auto entry : object) {
    simdjson::ondemand::field field;
    if (const auto code = std::move(entry).get(field)) return Failure(JsonError(code));
    std::string_view key;
    if (const auto code = field.unescaped_key().get(key)) return Failure(JsonError(code));
    Result<void> visited = visit(key, field.value());
    if (!visited) return Failure(std::move(visited).error().Wrap(key));
  }
  return {};
}

template <class Visit>
Result<void> ForEachField(JsonValue value, Visit visit) {
  if (IsNull(value)) return {};
  JsonObject object;
  if (value.get_object().get(object)) return Fail(ErrorKind::kInvalid, "is not an object");
  return ForEachField(object, std::move(visit));
}

// Calls `visit(item)` for each item of a list. Null is an empty list.
template <class Visit>
Result<void> ForEachItem(JsonValue value, Visit visit) {
  if (IsNull(value)) return {};
  JsonArray array;
  if (value.get_array().get(array)) return Fail(ErrorKind::kInvalid, "is not a list");
  for (auto entry : array) {
    JsonValue item;
    if (const auto code = entry.get(item)) return Failure(JsonError(code));
    CHECK_OK(visit(item));
  }
  return {};
}

}  // namespace millwright::kube
