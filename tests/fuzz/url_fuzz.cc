// Request targets as an attacker would write them: what parses must survive being written and
// parsed.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "net/url.h"

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace millwright::net;
  const std::string_view text(reinterpret_cast<const char*>(data), size);

  const auto target = ParseTarget(text);
  if (target) {
    const auto again = ParseTarget(FormatTarget(*target));
    if (!again) std::abort();
    // A last segment that is empty looks like a slash at the end.
    const bool comparable = target->segments.empty() || !target->segments.back().empty();
    if (comparable && *again != *target) std::abort();
  }

  const auto decoded = PercentDecode(PercentEncode(text));
  if (!decoded || *decoded != text) std::abort();
  return 0;
}
