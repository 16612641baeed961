// Points in time and how Kubernetes and Go write them.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/result.h"

namespace millwright {

using Duration = std::chrono::nanoseconds;

// What a calendar says. It can jump; use it only for what is written into objects and compared with
// them.
using WallTime = std::chrono::time_point<std::chrono::system_clock, Duration>;

// Time since some start, never jumping: for time-outs, back-off and delays.
using SteadyTime = std::chrono::time_point<std::chrono::steady_clock, Duration>;

// RFC 3339 in UTC, to the second ("2026-11-15T10:00:00Z"), as metav1.Time.
std::string FormatTime(WallTime time);

// RFC 3339 in UTC with six digits of fraction, as metav1.MicroTime.
std::string FormatMicroTime(WallTime time);

// RFC 3339 with any zone offset and any fraction; fractions below a nanosecond are cut off.
Result<WallTime> ParseTime(std::string_view text);

// Go's time.Duration text ("1h2m0.5s"), exactly as Go prints it.
std::string FormatDuration(Duration duration);

// Go's time.ParseDuration: "300ms", "-1.5h", "2h45m", "0". Fails on overflow of 64-bit nanoseconds.
Result<Duration> ParseDuration(std::string_view text);

}  // namespace millwright
