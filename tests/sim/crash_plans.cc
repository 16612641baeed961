#include "tests/sim/crash_plans.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "base/random.h"

namespace millwright::sim {

namespace {

// How many ways there are to choose some of all points, each before or after.
std::uint64_t Choices(std::uint64_t points, std::uint64_t crashes) {
  std::uint64_t all = 1;
  for (std::uint64_t i = 0; i < crashes; ++i) all = all * (points - i) / (i + 1);
  return all << crashes;
}

}  // namespace

std::vector<FaultPlan> RandomPlans(const Stretch& stretch, std::size_t crashes, std::uint64_t count,
                                   std::uint64_t seed) {
  SeededRandom random(seed);
  const auto points = static_cast<std::uint64_t>(stretch.end_point - stretch.first_point);
  if (points < crashes) return {};
  std::set<std::set<CrashPoint>> drawn;
  std::vector<FaultPlan> plans;
  while (plans.size() < std::min(count, Choices(points, crashes))) {
    std::set<int> chosen;
    while (chosen.size() < crashes) {
      chosen.insert(stretch.first_point + static_cast<int>(random.Below(points)));
    }
    std::set<CrashPoint> places;
    for (const int point : chosen) places.insert({point, random.Below(2) == 0});
    if (drawn.insert(places).second) plans.push_back({.crashes = std::move(places)});
  }
  return plans;
}

std::vector<FaultPlan> Steps(const Stretch& stretch, std::uint64_t stride) {
  std::vector<FaultPlan> plans;
  for (std::uint64_t step = stretch.first_step; step < stretch.end_step; step += stride) {
    plans.push_back({.crash_steps = {step}});
  }
  return plans;
}

std::vector<FaultPlan> ShareOf(const std::vector<FaultPlan>& plans, Share share) {
  std::vector<FaultPlan> ours;
  for (std::uint64_t i = share.part - 1; i < plans.size(); i += share.of) {
    ours.push_back(plans[i]);
  }
  return ours;
}

std::optional<Share> ReadShare(const std::string& text) {
  const auto number = [](std::string_view digits) -> std::uint64_t {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return error == std::errc() && end == digits.data() + digits.size() ? value : 0;
  };
  const auto slash = text.find('/');
  if (slash == std::string::npos) return std::nullopt;
  const Share share{.part = number(std::string_view(text).substr(0, slash)),
                    .of = number(std::string_view(text).substr(slash + 1))};
  if (share.part == 0 || share.part > share.of) return std::nullopt;
  return share;
}

}  // namespace millwright::sim
