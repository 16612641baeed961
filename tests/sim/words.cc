#include "tests/sim/words.h"

#include <fmt/format.h>

#include <array>

namespace millwright::sim {

std::string Words::Path(std::string_view plural, std::string_view object) const {
  const std::string all = fmt::format("/apis/{}/{}/namespaces/default/{}", group, version, plural);
  return object.empty() ? all : fmt::format("{}/{}", all, object);
}

std::string Words::Scope(std::string_view plural) const {
  return fmt::format("/{}/{}/", group, plural);
}

std::span<const Words* const> AllWords() {
  static const std::array<const Words*, 2> all = {&GardenerWords(), &CapiWords()};
  return all;
}

const Words* FindWords(std::string_view name) {
  for (const Words* words : AllWords()) {
    if (words->name == name) return words;
  }
  return nullptr;
}

}  // namespace millwright::sim
