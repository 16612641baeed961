// The list in which a scaler names machines: "name~time,name~time".
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/replicas/scaler_marks.h"

namespace millwright::dialects::gardener {

struct ScalerMarks {
  std::vector<core::ScalerMark> marks;
  bool untidy = false;  // it is not written as ScalerMarksText would write these marks
};

// `fallback` is for names without a time, as older scalers wrote them. What cannot be read is left
// out.
ScalerMarks ParseScalerMarks(std::string_view text, WallTime fallback);
std::string ScalerMarksText(std::span<const core::ScalerMark> marks);

}  // namespace millwright::dialects::gardener
