// Arithmetic with times and durations, within the limits of CEL.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "kube/cel/functions.h"

namespace millwright::kube::cel {

// Seconds east of Greenwich: "", "UTC", "+02:00". None for names of zones: they would need a
// database that not every machine has.
std::optional<std::int64_t> FindOffset(std::string_view zone);

Result<Value> AddDurations(Arguments a, Budget& budget);
Result<Value> SubtractDurations(Arguments a, Budget& budget);
Result<Value> AddToTime(Arguments a, Budget& budget);
Result<Value> AddToDuration(Arguments a, Budget& budget);
Result<Value> SubtractFromTime(Arguments a, Budget& budget);
Result<Value> TimeBetween(Arguments a, Budget& budget);

}  // namespace millwright::kube::cel
