// Files that only their owner may read, and that are still there after a loss of power.
#pragma once

#include <string>

#include "base/result.h"

namespace millwright::apiserver {

// Makes an empty file of mode 0600; one that is there already is left alone.
Result<void> CreatePrivateFile(const std::string& path);

// Writes out what the kernel holds of the file, then gives it its final name.
Result<void> SyncAndRename(const std::string& from, const std::string& to);

}  // namespace millwright::apiserver
