// The flags of `millwright controller`: a few of its own, the rest its dialect's.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "cli/dialects.h"
#include "cli/provider_flags.h"

namespace millwright::cli {

struct ControllerFlags {
  const DialectEntry* dialect = nullptr;
  controllers::Loops loops;
  ProviderFlags providers;
  std::filesystem::path data_dir;       // of local machines
  std::vector<std::string> of_dialect;  // the other words
  bool help = false;
};

// kInvalid, naming what is wrong.
Result<ControllerFlags> ReadControllerFlags(std::span<const std::string> words);

// What --help says: all flags with their defaults.
std::string ControllerHelp(const ControllerFlags& flags);

}  // namespace millwright::cli
