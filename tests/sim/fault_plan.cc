#include "tests/sim/fault_plan.h"

#include <fmt/format.h>

namespace millwright::sim {

std::string FaultPlan::ToString() const {
  std::string text;
  for (const CrashPoint& crash : crashes) {
    text += fmt::format(" crash {} point {}", crash.after ? "after" : "before", crash.point);
  }
  for (const std::uint64_t step : crash_steps) text += fmt::format(" crash at step {}", step);
  if (!chances.none()) text += " by chance";
  return text.empty() ? " nothing" : text;
}

}  // namespace millwright::sim
