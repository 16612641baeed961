#include "kube/projection/raw_json.h"

namespace millwright::kube {

Result<std::string_view> RawJson(JsonValue value) {
  std::string_view raw;
  JsonObject object;
  if (value.get_object().get(object) == simdjson::SUCCESS) {
    if (const auto code = object.raw_json().get(raw)) return Failure(JsonError(code));
    return raw;
  }
  JsonArray array;
  if (value.get_array().get(array) == simdjson::SUCCESS) {
    if (const auto code = array.raw_json().get(raw)) return Failure(JsonError(code));
    return raw;
  }
  raw = value.raw_json_token();
  while (!raw.empty() && std::string_view(" \t\r\n").contains(raw.back())) raw.remove_suffix(1);
  return raw;
}

}  // namespace millwright::kube
