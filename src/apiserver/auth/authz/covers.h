// Whether rights that somebody holds contain those that somebody wants to grant. Pure.
#pragma once

#include "apiserver/auth/authz/policy_rule.h"

namespace millwright::apiserver {

// What of `wanted` is not in `held`, one rule for each verb on each thing.
PolicyRules MissingRules(const PolicyRules& held, const PolicyRules& wanted);

// The same in a line for each thing, sorted, as Kubernetes tells it.
std::string DescribeRules(const PolicyRules& missing);

}  // namespace millwright::apiserver
