// The fieldPath of a rule: ".spec.size" or ".labels['a.b']", below the schema that the rule is in.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "kube/api/schema.h"

namespace millwright::kube::cel {

// The path as errors write it; none if it leads nowhere.
std::optional<std::string> NormalizeFieldPath(const Schema& schema, std::string_view path);

}  // namespace millwright::kube::cel
