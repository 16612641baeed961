// UTF-8, one character at a time.
#pragma once

#include <cstdint>
#include <string_view>

namespace millwright::kube::yaml {

struct Character {
  std::uint32_t code = 0;
  std::size_t size = 0;  // in bytes; zero if there is no valid character here
};

// The character that starts at `at`, which is before the end of the text.
Character CharacterAt(std::string_view text, std::size_t at);

}  // namespace millwright::kube::yaml
