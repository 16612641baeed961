// How often a command asks a server again that says "later".
#pragma once

#include "net/retry.h"

namespace millwright::cli {

// A person waits: a server that is down is to be told of within a second or so, and one that names
// a time is waited for.
constexpr net::RetryPolicy kPatience{.first_delay = std::chrono::milliseconds(100)};

}  // namespace millwright::cli
