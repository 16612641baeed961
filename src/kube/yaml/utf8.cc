#include "kube/yaml/utf8.h"

#include <array>

namespace millwright::kube::yaml {

namespace {

std::size_t SizeFromLead(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0) return 2;
  if (lead >= 0xE0 && lead < 0xF0) return 3;
  return lead >= 0xF0 && lead < 0xF5 ? 4 : 0;
}

}  // namespace

Character CharacterAt(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  const std::size_t size = SizeFromLead(lead);
  if (size == 1) return {.code = lead, .size = 1};
  if (size == 0 || text.size() - at < size) return {};
  std::uint32_t code = lead & (0x7FU >> size);
  for (const char c : text.substr(at + 1, size - 1)) {
    const auto next = static_cast<unsigned char>(c);
    if ((next & 0xC0U) != 0x80) return {};
    code = code << 6 | (next & 0x3FU);
  }
  constexpr std::array<std::uint32_t, 5> kSmallest = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  if (code < kSmallest[size] || code > 0x10FFFF || surrogate) return {};
  return {.code = code, .size = size};
}

}  // namespace millwright::kube::yaml
