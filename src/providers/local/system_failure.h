// What the operating system refused, as a cloud would say it.
#pragma once

#include <string_view>

#include "base/result.h"

namespace millwright::providers {

// `error` is errno.
Failure SystemFailure(std::string_view doing, int error);

}  // namespace millwright::providers
