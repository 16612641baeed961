// How long ago something was, as kubectl writes it.
#pragma once

#include <string>

#include "base/time.h"

namespace millwright::cli {

// "12s", "3m4s", "5h", "2d": the longer ago, the coarser. What lies in the future is "0s".
std::string ShortAge(Duration age);

// Since `then`; "<unknown>" for a time that nobody wrote.
std::string AgeSince(WallTime then, WallTime now);

}  // namespace millwright::cli
