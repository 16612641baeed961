// What a definition says about rules of it that this server cannot run.
#pragma once

#include <string_view>

#include <boost/json/value.hpp>

#include "apiserver/crd/conditions.h"

namespace millwright::apiserver {

// No kube-apiserver sets it: there, every rule that can be compiled can be run.
inline constexpr std::string_view kRulesNotRun = "ValidationRulesNotRun";

// Without a type if all rules can be run.
CrdCondition RulesCondition(const boost::json::value& crd);

}  // namespace millwright::apiserver
