#include "dialects/gardener/update_stages.h"

#include <array>
#include <utility>

#include "dialects/gardener/names.h"

namespace millwright::dialects::gardener {

namespace {

using core::UpdateStage;

constexpr std::array<std::pair<UpdateStage, std::string_view>, 6> kStages = {{
    {UpdateStage::kCandidate, "CandidateForUpdate"},
    {UpdateStage::kSelected, "SelectedForUpdate"},
    {UpdateStage::kDrained, "DrainSuccessful"},
    {UpdateStage::kReady, "ReadyForUpdate"},
    {UpdateStage::kSucceeded, conditions::kUpdateSuccessful},
    {UpdateStage::kFailed, "UpdateFailed"},
}};

}  // namespace

UpdateStage ParseUpdateStage(std::string_view reason) {
  for (const auto& [stage, text] : kStages) {
    if (text == reason) return stage;
  }
  return UpdateStage::kNone;
}

std::string_view UpdateStageText(UpdateStage stage) {
  for (const auto& [known, text] : kStages) {
    if (known == stage) return text;
  }
  return "";
}

}  // namespace millwright::dialects::gardener
