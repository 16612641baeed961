// The built-in kinds as the server serves them.
#pragma once

#include "apiserver/resources/registry.h"

namespace millwright::apiserver {

void AddBuiltinKinds(Registry& registry);

}  // namespace millwright::apiserver
