// matchConditions by CEL.
#pragma once

#include <string_view>

#include "apiserver/webhooks/conditions.h"

namespace millwright::apiserver {

// Evaluates `object`, `oldObject` and `request`. Expressions are compiled when they are first met.
MatchConditions CelConditions();

// Fails with kInvalid on an expression that is no condition, as a kube-apiserver words it.
Result<void> CheckCondition(std::string_view expression);

}  // namespace millwright::apiserver
