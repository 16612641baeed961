// Where a deployment stands, in one word and one sentence.
#pragma once

#include <string>

#include "cli/text_table.h"
#include "dialects/deployment_record.h"

namespace millwright::cli {

struct RolloutState {
  std::string word;      // "Ready", "RollingOut", "Stuck", "Paused"
  std::string sentence;  // empty: the word says all
  Mood mood = Mood::kPlain;

  friend bool operator==(const RolloutState&, const RolloutState&) = default;
};

RolloutState StateOf(const dialects::DeploymentRecord& deployment);

// The controller has not looked at the last change of it yet.
bool IsUnseen(const dialects::DeploymentRecord& deployment);

// "RollingUpdate (maxSurge 1, maxUnavailable 0)".
std::string StrategyText(const core::Deployment& deployment);

}  // namespace millwright::cli
