// What the crash test's writer writes, so that its reader can tell a whole value from a half one.
#pragma once

#include <fmt/format.h>

#include <string>

#include "apiserver/store/record.h"

namespace millwright::apiserver {

// Of different lengths, from a few bytes to several pages.
inline std::string CrashText(const std::string& key, Revision revision) {
  const auto length = static_cast<std::size_t>(revision * 7919 % 9000);
  const char filler = static_cast<char>('a' + revision % 26);
  return fmt::format("{} {} {}", key, revision, std::string(length, filler));
}

}  // namespace millwright::apiserver
