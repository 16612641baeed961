// Timestamps as YAML 1.1 and Go's yaml.v2 know them.
#pragma once

#include <string_view>

namespace millwright::kube::yaml {

// 2001-12-14t21:59:43.10-05:00, 2001-12-14 21:59:43.10, 2001-12-14; one digit is enough for each
// field but the year. Looks at the shape and the ranges, not at the length of months.
bool IsTimestamp(std::string_view text);

}  // namespace millwright::kube::yaml
