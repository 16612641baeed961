// The seam to CEL: what a webhook's matchConditions say about a request.
#pragma once

#include <functional>

#include <boost/json/value.hpp>

#include "base/result.h"

namespace millwright::apiserver {

// The variables of the expressions.
struct ConditionInput {
  const boost::json::value* object = nullptr;
  const boost::json::value* old = nullptr;
  const boost::json::value& request;  // without objects
};

// Whether all conditions hold. One that does not hold decides, also beside others that fail.
using MatchConditions =
    std::function<Result<bool>(const boost::json::array& conditions, const ConditionInput& input)>;

}  // namespace millwright::apiserver
