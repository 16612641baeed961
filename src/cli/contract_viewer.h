// Shows machines of the dialect whose machines come from objects that others fill.
#pragma once

#include <memory>

#include "cli/viewer.h"

namespace millwright::cli {

std::unique_ptr<Viewer> MakeContractViewer();

}  // namespace millwright::cli
