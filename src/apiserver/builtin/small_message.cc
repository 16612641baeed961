#include "apiserver/builtin/small_message.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <string>

#include <boost/json.hpp>

#include "apiserver/builtin/wire.h"
#include "base/time.h"
#include "kube/api/json_text.h"
#include "kube/api/typed_value.h"

namespace millwright::apiserver::builtin {

namespace json = boost::json;

namespace {

// None of these messages has a field above 3.
struct Parts {
  std::array<std::uint64_t, 4> numbers{};
  std::array<std::string_view, 4> texts{"", "", "", ""};
};

Result<Parts> ReadParts(std::string_view message) {
  Parts parts;
  for (WireReader reader(message); !reader.AtEnd();) {
    TRY(const auto field, reader.Next());
    if (field->number >= parts.numbers.size()) continue;
    parts.numbers[field->number] = field->value;
    parts.texts[field->number] = field->bytes;
  }
  return parts;
}

Result<json::value> TimeOf(const Parts& parts, bool micro) {
  const auto seconds = static_cast<std::int64_t>(parts.numbers[1]);
  const auto nanos = static_cast<std::int32_t>(parts.numbers[2]);
  constexpr std::int64_t kMaxSeconds = 9'223'372'035;  // 64 bits of nanoseconds: years 1677 to 2262
  if (seconds < -kMaxSeconds || seconds > kMaxSeconds || nanos < 0 || nanos >= 1'000'000'000) {
    return Fail(ErrorKind::kInvalid, "proto: a time is out of range");
  }
  const WallTime time(std::chrono::seconds(seconds) + std::chrono::nanoseconds(micro ? nanos : 0));
  return json::value(micro ? FormatMicroTime(time) : FormatTime(time));
}

Result<json::value> IntOrStringOf(const Parts& parts) {
  if (parts.numbers[1] != 0) return json::value(parts.texts[3]);
  return json::value(static_cast<std::int32_t>(parts.numbers[2]));
}

Result<json::value> RawJson(std::string_view text) {
  if (text.empty()) return json::value();
  return kube::ParseJson(text, {.max_depth = kube::kMaxNesting / 2});
}

}  // namespace

bool IsSmallMessage(TypeShape shape) {
  return shape >= TypeShape::kTime && shape <= TypeShape::kJson;
}

Result<json::value> ReadSmallMessage(TypeShape shape, std::string_view message) {
  TRY(const Parts parts, ReadParts(message));
  if (shape == TypeShape::kTime || shape == TypeShape::kMicroTime) {
    if (message.empty()) return json::value();
    return TimeOf(parts, shape == TypeShape::kMicroTime);
  }
  if (shape == TypeShape::kDuration) {
    return json::value(FormatDuration(Duration(static_cast<std::int64_t>(parts.numbers[1]))));
  }
  if (shape == TypeShape::kQuantity) {
    return parts.texts[1].empty() ? json::value() : json::value(parts.texts[1]);
  }
  if (shape == TypeShape::kIntOrString) return IntOrStringOf(parts);
  return RawJson(parts.texts[1]);
}

}  // namespace millwright::apiserver::builtin
