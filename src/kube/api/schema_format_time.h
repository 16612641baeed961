// String formats about time.
#pragma once

#include <string_view>

namespace millwright::kube {

// 2006-01-02, a day that exists.
bool IsDate(std::string_view text);

// RFC 3339 in either case of T and Z, without leap seconds.
bool IsDateTime(std::string_view text);

// A Go duration (1h30m), or numbers with written-out units (3 days).
bool IsDuration(std::string_view text);

}  // namespace millwright::kube
