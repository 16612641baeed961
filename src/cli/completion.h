// Shell completion, generated from the command tree so that it cannot fall behind.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

#include "base/result.h"

namespace millwright::cli {

// `shell` is bash, zsh or fish.
Result<std::string> CompletionScript(const CLI::App& app, const std::string& shell);

}  // namespace millwright::cli
