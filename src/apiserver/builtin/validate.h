// The rules about objects of built-in kinds that a real server checks in code.
#pragma once

#include <vector>

#include <boost/json/value.hpp>

#include "kube/api/group_version.h"
#include "kube/api/schema_error.h"

namespace millwright::apiserver {

// What is wrong with an object that has its defaults, in a real server's words; `old` is null for a
// create. Metadata are not looked at, and neither is anything that needs other objects. It takes
// the place of checking the schema, which for built-in kinds says nothing that is not said here.
std::vector<kube::FieldError> ValidateBuiltin(const kube::GroupVersionKind& kind,
                                              const boost::json::value& object,
                                              const boost::json::value* old);

}  // namespace millwright::apiserver
