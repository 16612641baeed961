// Any text is refused or becomes a duration, or a time, that is written so that it is read back.
#include "base/time.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto duration = millwright::ParseDuration(text)) {
    if (*millwright::ParseDuration(millwright::FormatDuration(*duration)) != *duration)
      std::abort();
  }
  const auto time = millwright::ParseTime(text);
  if (!time) return 0;
  // The very first microsecond of our range is cut off by rounding down, so it is not read back.
  const auto again = millwright::ParseTime(millwright::FormatMicroTime(*time));
  if (again && *again != std::chrono::floor<std::chrono::microseconds>(*time)) std::abort();
  return 0;
}
