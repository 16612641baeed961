// Whether a status is worth a write. A cloud that fails again and again says so with a new request
// id each time; nobody needs each of them.
#pragma once

#include <string>
#include <string_view>

#include "base/time.h"

namespace millwright::core {

struct ShownStatus {
  std::string description;
  WallTime described_at{};
  std::string rest;   // all else that is shown, in any form that can be compared
  std::string stage;  // how far a deletion has come, if it is one

  friend bool operator==(const ShownStatus&, const ShownStatus&) = default;
};

// A change of stage, or of anything but the wording, always is; so is a status that is half an hour
// old.
bool IsWorthWriting(const ShownStatus& shown, const ShownStatus& next, WallTime now);

// 1 for equal texts, 0 or less for texts that have nothing in common.
double Similarity(std::string_view a, std::string_view b);

}  // namespace millwright::core
