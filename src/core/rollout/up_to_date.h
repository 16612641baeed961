// Whether one machine is what its deployment wishes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"

namespace millwright::core {

struct UpToDateView {
  std::vector<std::string>
      template_differences;  // that need a rollout, between its set and deployment
  std::optional<WallTime> rollout_after;
  WallTime set_created{};
  bool updating = false;
  std::string wished_version;  // empty: any will do
  std::string node_version;    // empty: not known
};

enum class UpToDate { kYes, kOtherTemplate, kRolloutDue, kUpdating, kOtherVersion };

UpToDate JudgeUpToDate(const UpToDateView& view, WallTime now);

// Whether a set is of an earlier revision than its deployment has come to; its nodes are then best
// avoided. Revisions of 0 are unknown and count as the first.
bool IsOutdated(std::int64_t set_revision, std::int64_t deployment_revision);

}  // namespace millwright::core
