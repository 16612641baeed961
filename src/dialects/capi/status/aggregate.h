// One condition made of the same one of many objects.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "dialects/capi/status/summary.h"

namespace millwright::dialects::capi {

struct AggregateInput {
  std::string name;  // of the object
  Weight weight = Weight::kInfo;
  std::string message;
  bool control_plane = false;  // its message comes before others'
};

// Objects of one kind, among others of other kinds.
struct AggregateGroup {
  std::string_view kind;
  std::span<const AggregateInput> inputs;
};

// Objects with the same message share a line; three lines of three names at most, the rest counted.
Summary Aggregate(std::span<const AggregateInput> inputs, std::string_view kind);

// The same of several kinds, whose lines come kind by kind, in the order given.
Summary Aggregate(std::span<const AggregateGroup> kinds);

// "Machine" for one, "Machines" for more.
std::string Plural(std::string_view kind, std::size_t count);

}  // namespace millwright::dialects::capi
