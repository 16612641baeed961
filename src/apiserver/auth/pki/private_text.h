// Small files that only their owner may read, written all at once or not at all.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "base/secret.h"

namespace millwright::apiserver {

// In place of what was there; a reader sees the old or the new, also after a loss of power. Mode
// 0600. kPermission.
Result<void> WritePrivateText(const std::filesystem::path& path, std::string_view text);

// None if there is no such file. kPermission if there is one that cannot be read.
Result<std::optional<SecretText>> ReadPrivateText(const std::filesystem::path& path);

}  // namespace millwright::apiserver
