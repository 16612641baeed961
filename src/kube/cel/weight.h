// How much work it is to go through a value.
#pragma once

#include <cstdint>

#include "kube/cel/value.h"

namespace millwright::kube::cel {

// Characters and items, all that is inside counted; never more than the whole budget of a rule.
std::uint64_t WeightOf(const Value& value);

// What comparing two values costs.
std::uint64_t CompareWeight(const Value& a, const Value& b);

}  // namespace millwright::kube::cel
