// What the terminal behind stdout can show.
#pragma once

#include <cstddef>
#include <string_view>

namespace millwright::cli {

struct Terminal {
  bool is_terminal = false;
  bool box_lines = false;  // it shows UTF-8
  bool colour = false;
  std::size_t width = 0;  // 0: no limit

  static Terminal OfStdout();
};

// Whether the locale's variables say UTF-8; the first that is set decides, as POSIX has it.
bool SaysUtf8(const char* lc_all, const char* lc_ctype, const char* lang);

}  // namespace millwright::cli
