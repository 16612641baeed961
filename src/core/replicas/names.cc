#include "core/replicas/names.h"

#include <utility>

namespace millwright::core {
namespace {

// Without vowels and look-alikes, as Kubernetes' own generated names.
constexpr std::string_view kAlphabet = "bcdfghjklmnpqrstvwxz2456789";
constexpr std::uint32_t kBase = kAlphabet.size();
constexpr std::uint32_t kCount = kBase * kBase * kBase * kBase * kBase;

std::uint64_t Mix(std::uint64_t value) {
  value ^= value >> 33;
  value *= 0xff51afd7ed558ccdULL;
  value ^= value >> 33;
  value *= 0xc4ceb9fe1a85ec53ULL;
  return value ^ (value >> 33);
}

std::uint64_t Hash(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return Mix(hash);
}

// A keyed permutation of 24-bit numbers (four Feistel rounds over two halves of 12 bits).
std::uint32_t Permute(std::uint32_t value, std::uint64_t key, bool forward) {
  std::uint32_t left = value >> 12;
  std::uint32_t right = value & 0xfff;
  for (int i = 0; i < 4; ++i) {
    const int round = forward ? i : 3 - i;
    const std::uint32_t input = forward ? right : left;
    const auto noise =
        static_cast<std::uint32_t>(Mix(key + static_cast<std::uint64_t>(round) * 0x1000 + input)) &
        0xfff;
    if (forward) {
      left = std::exchange(right, left ^ noise);
    } else {
      right = std::exchange(left, right ^ noise);
    }
  }
  return (left << 12) | right;
}

// 27^5 is a little below 2^24: numbers outside are permuted again until they are inside.
std::uint32_t Walk(std::uint32_t value, std::uint64_t key, bool forward) {
  do {
    value = Permute(value, key, forward);
  } while (value >= kCount);
  return value;
}

}  // namespace

NameSequence::NameSequence(const Uid& set) : key_(Hash(set.str())) {}

std::string NameSequence::Suffix(std::uint32_t serial) const {
  std::uint32_t number = Walk(serial % kCount, key_, true);
  std::string suffix;
  for (int i = 0; i < 5; ++i, number /= kBase) suffix += kAlphabet[number % kBase];
  return suffix;
}

std::optional<std::uint32_t> NameSequence::SerialOf(std::string_view suffix) const {
  if (suffix.size() != 5) return std::nullopt;
  std::uint32_t number = 0;
  for (int i = 4; i >= 0; --i) {
    const size_t digit = kAlphabet.find(suffix[i]);
    if (digit == std::string_view::npos) return std::nullopt;
    number = number * kBase + static_cast<std::uint32_t>(digit);
  }
  return Walk(number, key_, false);
}

FreshNames NextNames(const Uid& set, std::string_view prefix, const IsTaken& is_taken,
                     std::uint32_t floor, int count) {
  const NameSequence sequence(set);
  FreshNames fresh{.next_floor = floor};
  std::string name;
  while (static_cast<int>(fresh.names.size()) < count) {
    name.assign(prefix).append(sequence.Suffix(fresh.next_floor++));
    if (!is_taken(name)) fresh.names.push_back(name);
  }
  return fresh;
}

}  // namespace millwright::core
