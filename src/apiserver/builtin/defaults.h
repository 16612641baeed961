// What a real server fills in before anybody looks at an object of a built-in kind.
#pragma once

#include <boost/json/value.hpp>

#include "kube/api/group_version.h"

namespace millwright::apiserver {

// The defaults of the API version, at creates and updates alike. The object has to be normalized,
// and is afterwards. Nothing is done for kinds of others.
void ApplyBuiltinDefaults(const kube::GroupVersionKind& kind, boost::json::value& object);

}  // namespace millwright::apiserver
