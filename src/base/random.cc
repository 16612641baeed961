#include "base/random.h"

#include <fmt/format.h>
#include <openssl/rand.h>

#include <cstdlib>

namespace millwright {

std::uint64_t Random::Below(std::uint64_t bound) {
  // Values above the largest multiple of bound would favour small results; draw again for those.
  const std::uint64_t limit = UINT64_MAX - (UINT64_MAX % bound);
  std::uint64_t value = Next();
  while (value >= limit) value = Next();
  return value % bound;
}

double Random::Unit() {
  constexpr int kUnusedBits = 11;  // a double holds 53
  return static_cast<double>(Next() >> kUnusedBits) * 0x1.0p-53;
}

Duration Random::Jitter(Duration duration, double factor) {
  const double extra = static_cast<double>(duration.count()) * factor * Unit();
  return duration + Duration(static_cast<std::int64_t>(extra));
}

std::string Random::Uuid() {
  const std::uint64_t high = (Next() & ~0xF000ULL) | 0x4000ULL;
  const std::uint64_t low = (Next() & ~(0x3ULL << 62)) | (0x2ULL << 62);
  return fmt::format("{:08x}-{:04x}-{:04x}-{:04x}-{:012x}", high >> 32, (high >> 16) & 0xFFFF,
                     high & 0xFFFF, low >> 48, low & 0xFFFFFFFFFFFFULL);
}

std::uint64_t SystemRandom::Next() {
  std::uint64_t value = 0;
  // Without randomness we would hand out guessable tokens and names: there is no way to go on.
  if (RAND_bytes(reinterpret_cast<unsigned char*>(&value), sizeof value) != 1) std::abort();
  return value;
}

}  // namespace millwright
