// Shows machines of dialects whose controllers call clouds themselves.
#pragma once

#include <memory>

#include "cli/viewer.h"

namespace millwright::cli {

std::unique_ptr<Viewer> MakeCloudViewer(std::unique_ptr<dialects::Dialect> dialect);

}  // namespace millwright::cli
