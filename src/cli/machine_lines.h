// What happens to machines, a line each, for whoever looks at the terminal.
#pragma once

#include <cstdio>

#include "controllers/shared/caches.h"

namespace millwright::cli {

// Before the caches run. Prints to `out` until the caches go.
void PrintMachineChanges(controllers::Caches& caches, Clock& clock, std::FILE* out);

// The line for a change; empty: nothing that a person wants to see.
std::string MachineLine(const dialects::MachineRecord* before,
                        const dialects::MachineRecord* after);

}  // namespace millwright::cli
