// Which records are wanted, per module.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace millwright {

enum class LogLevel { kDebug, kInfo, kWarning, kError };

std::string_view ToString(LogLevel level);

// A level for everything, and others for some modules with all that is below them: a rule for
// "kube" speaks for "kube.informer" too, but not for "kubelet". The longest rule that fits wins.
struct LogLevels {
  LogLevel all = LogLevel::kInfo;
  std::vector<std::pair<std::string, LogLevel>> modules;

  friend bool operator==(const LogLevels&, const LogLevels&) = default;
};

// The text of a flag: "kube=debug,net=warning", "debug", or "warning,kube.informer=debug". A level
// without a module is the one for everything. Of two rules for one module the later holds.
Result<LogLevels> ParseLevels(std::string_view text);

LogLevel LevelFor(const LogLevels& levels, std::string_view module);

}  // namespace millwright
