// What Go's time.Parse says about a text that is no time.
#pragma once

#include <string>
#include <string_view>

namespace millwright::apiserver::builtin {

// Empty if it is one: RFC 3339, with a fraction of any length, or of exactly six digits for the
// times of leases and events ("micro").
std::string GoTimeFault(std::string_view text, bool micro);

}  // namespace millwright::apiserver::builtin
