#include "tests/sim/fault_plan.h"

#include <fmt/format.h>

namespace millwright::sim {

std::string FaultPlan::ToString() const {
  std::string text;
  for (const CrashPoint& crash : crashes) {
    text += fmt::format(" --crash {}{}", crash.point, crash.after ? "+" : "");
  }
  for (const std::uint64_t step : crash_steps) text += fmt::format(" --crash s{}", step);
  return text;
}

}  // namespace millwright::sim
