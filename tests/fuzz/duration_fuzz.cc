// Durations obey arithmetic: what is written is read back, a sign turns it round, and terms add up.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "base/time.h"
#include "tests/fuzz/token_text.h"

using namespace millwright;

namespace {

constexpr std::string_view kTokens[] = {"0",
                                        "1",
                                        "7",
                                        "9",
                                        "60",
                                        "999",
                                        ".",
                                        "-",
                                        "+",
                                        "ns",
                                        "us",
                                        "\u00b5s",
                                        "ms",
                                        "s",
                                        "m",
                                        "h",
                                        "9223372036854775807"};

void CheckRoundTrip(Duration duration) {
  const std::string text = FormatDuration(duration);
  const auto again = ParseDuration(text);
  if (!again || *again != duration) std::abort();
  if (text.starts_with('-') != (duration < Duration::zero())) std::abort();
}

void CheckSign(std::string_view text, Duration duration) {
  if (text.starts_with('-') || text.starts_with('+')) return;
  const auto negative = ParseDuration("-" + std::string(text));
  if (!negative || *negative != -duration) std::abort();
  const auto positive = ParseDuration("+" + std::string(text));
  if (!positive || *positive != duration) std::abort();
}

// "1h" and "2m" are "1h2m", unless that is too long or one of them is a bare 0.
void CheckSum(std::string_view text, std::size_t cut) {
  const std::string_view first = text.substr(0, cut);
  const std::string_view second = text.substr(cut);
  const auto a = ParseDuration(first);
  const auto b = ParseDuration(second);
  const bool plain = a && b && !first.starts_with('-') && !second.starts_with('-') &&
                     !second.starts_with('+') && first != "0" && first != "+0" && second != "0";
  if (!plain) return;
  const auto both = ParseDuration(text);
  const bool fits = a->count() <= Duration::max().count() - b->count();
  if (both.has_value() != fits) std::abort();
  if (both && *both != *a + *b) std::abort();
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size >= sizeof(std::int64_t)) {
    std::int64_t nanos = 0;
    std::memcpy(&nanos, data, sizeof nanos);
    CheckRoundTrip(Duration(nanos));
  }
  const std::string text = fuzz::TokenText(data, size, kTokens);
  for (std::size_t cut = 1; cut < text.size() && cut < 16; ++cut) CheckSum(text, cut);
  const auto duration = ParseDuration(text);
  if (!duration) {
    if (duration.error().kind() != ErrorKind::kInvalid) std::abort();
    return 0;
  }
  CheckRoundTrip(*duration);
  CheckSign(text, *duration);
  return 0;
}
