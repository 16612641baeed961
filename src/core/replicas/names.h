// Names for new machines that two who decide alike choose alike, so that their creations collide
// instead of adding up.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/id.h"

namespace millwright::core {

// Serial numbers turned into five characters that look random, differently for each set, and back.
class NameSequence {
 public:
  explicit NameSequence(const Uid& set);

  // One of 27^5; serials wrap around there.
  std::string Suffix(std::uint32_t serial) const;

  // The serial behind a suffix; none: it is not of this form.
  std::optional<std::uint32_t> SerialOf(std::string_view suffix) const;

 private:
  std::uint64_t key_;
};

struct FreshNames {
  std::vector<std::string> names;
  std::uint32_t next_floor = 0;  // to be noted on the set once all of `names` are seen

  friend bool operator==(const FreshNames&, const FreshNames&) = default;
};

// The first `count` names from the serial `floor` on that no machine of the set is seen to have.
// Whoever plans the same batch, and sees any part of it, comes to the same names; the floor keeps
// names of the dead from being used again.
using IsTaken = std::function<bool(const std::string& name)>;
FreshNames NextNames(const Uid& set, std::string_view prefix, const IsTaken& is_taken,
                     std::uint32_t floor, int count);

}  // namespace millwright::core
