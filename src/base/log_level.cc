#include "base/log_level.h"

#include <algorithm>
#include <cctype>

namespace millwright {

namespace {

Result<LogLevel> ParseLevel(std::string_view text) {
  for (const LogLevel level :
       {LogLevel::kDebug, LogLevel::kInfo, LogLevel::kWarning, LogLevel::kError}) {
    if (text == ToString(level)) return level;
  }
  return Fail(ErrorKind::kInvalid, "unknown log level \"" + std::string(text) +
                                       "\": want debug, info, warning or error");
}

bool IsModuleName(std::string_view text) {
  const auto allowed = [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '.' || c == '_' || c == '-';
  };
  return !text.empty() && std::ranges::all_of(text, allowed);
}

Result<void> AddRule(std::string_view rule, LogLevels& levels) {
  const auto equals = rule.find('=');
  if (equals == std::string_view::npos) {
    TRY(levels.all, ParseLevel(rule));
    return Ok();
  }
  const std::string_view module = rule.substr(0, equals);
  if (!IsModuleName(module)) {
    return Fail(ErrorKind::kInvalid, "bad module name in log level \"" + std::string(rule) + "\"");
  }
  TRY(const LogLevel level, ParseLevel(rule.substr(equals + 1)));
  std::erase_if(levels.modules, [&](const auto& known) { return known.first == module; });
  levels.modules.emplace_back(module, level);
  return Ok();
}

bool Governs(std::string_view rule, std::string_view module) {
  return module.starts_with(rule) && (module.size() == rule.size() || module[rule.size()] == '.');
}

}  // namespace

std::string_view ToString(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug: return "debug";
    case LogLevel::kInfo: return "info";
    case LogLevel::kWarning: return "warning";
    case LogLevel::kError: return "error";
  }
  return "unknown";
}

Result<LogLevels> ParseLevels(std::string_view text) {
  LogLevels levels;
  while (!text.empty()) {
    const auto comma = text.find(',');
    CHECK_OK(AddRule(text.substr(0, comma), levels));
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
    if (text.empty()) return Fail(ErrorKind::kInvalid, "log levels end with a comma");
  }
  return levels;
}

LogLevel LevelFor(const LogLevels& levels, std::string_view module) {
  LogLevel best = levels.all;
  std::size_t best_length = 0;
  for (const auto& [rule, level] : levels.modules) {
    if (rule.size() > best_length && Governs(rule, module)) {
      best = level;
      best_length = rule.size();
    }
  }
  return best;
}

}  // namespace millwright
