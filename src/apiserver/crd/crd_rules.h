// CustomResourceDefinition as a kind of object: what the server does beyond storing it.
#pragma once

#include "apiserver/resources/registry.h"

namespace millwright::apiserver {

// Gives the registered kind its defaults, checks and life cycle. Does nothing if it is not there.
void AddCrdRules(Registry& registry);

}  // namespace millwright::apiserver
