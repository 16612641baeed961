// Regular expressions of rules, which are mostly the same ones again and again.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <re2/re2.h>

#include "base/result.h"

namespace millwright::kube::cel {

// Fails as Go's regexp would.
Result<std::shared_ptr<const re2::RE2>> CompileRegex(std::string_view text);

}  // namespace millwright::kube::cel
