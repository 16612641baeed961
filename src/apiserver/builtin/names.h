// Which names objects of a built-in kind may have.
#pragma once

#include <string_view>

#include "kube/api/group_version.h"
#include "kube/api/names.h"

namespace millwright::apiserver {

// What is wrong with the name, in a real server's words; nothing if it is fine.
kube::Complaints CheckBuiltinName(const kube::GroupVersionKind& kind, std::string_view name);

}  // namespace millwright::apiserver
