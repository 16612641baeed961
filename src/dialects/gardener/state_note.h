// What we have to remember on an object and no field of the API can hold: a small annotation.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/model/phase.h"

namespace millwright::dialects::gardener {

struct StateNote {
  std::uint32_t name_floor = 0;       // of a set (core/replicas/names.h)
  std::optional<core::Phase> before;  // of a machine: its phase when its deletion began

  friend bool operator==(const StateNote&, const StateNote&) = default;
};

// What cannot be read is as if it were not there.
StateNote ParseStateNote(std::string_view text);
std::string StateNoteText(const StateNote& note);

}  // namespace millwright::dialects::gardener
