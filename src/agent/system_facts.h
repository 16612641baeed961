// What this computer is.
#pragma once

#include "agent/node_object.h"

namespace millwright::agent {

SystemFacts FactsOfThisComputer();

}  // namespace millwright::agent
