// A value as it was written, for those who read it in another way.
#pragma once

#include <string_view>

#include "kube/projection/json_reader.h"

namespace millwright::kube {

// The bytes of a value, whatever it is. The value is used up.
Result<std::string_view> RawJson(JsonValue value);

}  // namespace millwright::kube
