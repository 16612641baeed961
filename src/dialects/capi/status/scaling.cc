#include "dialects/capi/status/scaling.h"

#include <fmt/format.h>

#include "dialects/capi/status/words.h"

namespace millwright::dialects::capi {
namespace {

std::optional<Shown> NotKnown(const ScalingFacts& facts) {
  if (!facts.known) {
    return Shown{.status = Truth::kUnknown,
                 .reason = std::string(reasons::kInternalError),
                 .message = std::string(kSeeLogs)};
  }
  if (!facts.wished) {
    return Shown{.status = Truth::kUnknown,
                 .reason = std::string(reasons::kWaitingForReplicasSet),
                 .message = "Waiting for spec.replicas set"};
  }
  return std::nullopt;
}

int Wished(const ScalingFacts& facts) { return facts.deleting ? 0 : *facts.wished; }

std::string MissingTemplates(const std::vector<std::string>& kinds) {
  std::string text;
  for (const std::string& kind : kinds) {
    if (!text.empty()) text += " and ";
    text += kind;
  }
  return fmt::format("{} {} not exist", text, kinds.size() == 1 ? "does" : "do");
}

}  // namespace

Shown ShowScalingUp(const ScalingFacts& facts) {
  if (std::optional<Shown> not_known = NotKnown(facts)) return *not_known;
  const int wished = Wished(facts);
  if (facts.machines >= wished) {
    Shown shown{.status = Truth::kFalse, .reason = "NotScalingUp"};
    if (!facts.missing_templates.empty() && !facts.deleting) {
      shown.message = fmt::format("Scaling up would be blocked because {}",
                                  MissingTemplates(facts.missing_templates));
    }
    return shown;
  }
  Shown shown{.status = Truth::kTrue,
              .reason = std::string(types::kScalingUp),
              .message = fmt::format("Scaling up from {} to {} replicas", facts.machines, wished)};
  std::string why;
  if (!facts.missing_templates.empty()) {
    why += fmt::format("\n* {}", MissingTemplates(facts.missing_templates));
  }
  for (const std::string& reason : facts.blocked) why += fmt::format("\n* {}", reason);
  if (!why.empty()) shown.message += " is blocked because:" + why;
  return shown;
}

Shown ShowScalingDown(const ScalingFacts& facts) {
  if (std::optional<Shown> not_known = NotKnown(facts)) return *not_known;
  const int wished = Wished(facts);
  if (facts.machines <= wished) return {.status = Truth::kFalse, .reason = "NotScalingDown"};
  Shown shown{
      .status = Truth::kTrue,
      .reason = std::string(types::kScalingDown),
      .message = fmt::format("Scaling down from {} to {} replicas", facts.machines, wished)};
  if (!facts.stale.empty()) shown.message += "\n" + facts.stale;
  return shown;
}

}  // namespace millwright::dialects::capi
