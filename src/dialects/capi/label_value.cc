#include "dialects/capi/label_value.h"

#include "kube/api/names.h"

namespace millwright::dialects::capi {

namespace {

constexpr std::string_view kUrlAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

// The four bytes of a hash, highest first, in base 64 for URLs without padding.
std::string Base64Of(std::uint32_t hash) {
  const std::uint64_t bits = std::uint64_t{hash} << 4;  // 32 bits in six digits of six
  std::string text;
  for (int digit = 5; digit >= 0; --digit) {
    text += kUrlAlphabet[(bits >> (digit * 6)) & 63];
  }
  return text;
}

}  // namespace

std::uint32_t Fnv1a(std::string_view text) {
  std::uint32_t hash = 2166136261u;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 16777619u;
  }
  return hash;
}

std::string LabelValueOf(std::string_view name) {
  if (kube::CheckLabelValue(name).empty()) return std::string(name);
  return "hash_" + Base64Of(Fnv1a(name)) + "_z";
}

}  // namespace millwright::dialects::capi
