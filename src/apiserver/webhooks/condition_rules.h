// Refuses configurations of webhooks whose matchConditions cannot work.
#pragma once

#include "apiserver/resources/registry.h"

namespace millwright::apiserver {

// Adds to what is checked of both kinds of configurations.
void AddConditionRules(Registry& registry);

}  // namespace millwright::apiserver
