// What Gardener's marks on a node mean.
#include <algorithm>

#include "dialects/gardener/gardener.h"
#include "dialects/gardener/names.h"
#include "dialects/gardener/read_metadata.h"
#include "dialects/gardener/update_stages.h"
#include "dialects/gardener/words.h"

namespace millwright::dialects::gardener {

namespace {

void TakeConditions(const NodeRecord& node, NodeFacts& facts) {
  if (const auto kept = node.conditions.Find(conditions::kPreserved)) {
    facts.said_kept = kept->status == "True";
    facts.said_drained =
        facts.said_kept && kept->message.view().starts_with(conditions::kNodeDrained);
    facts.said_undrained = kept->message.view().starts_with(conditions::kNodeUndrained);
  }
  if (const auto update = node.conditions.Find(conditions::kInPlaceUpdate)) {
    facts.update_stage = ParseUpdateStage(update->reason);
    facts.update_stage_since = update->since;
  }
}

}  // namespace

std::optional<core::WrittenWish> GardenerDialect::ReadNodeWish(const NodeRecord& node) const {
  const Text* wish = FindText(node.annotations, annotations::kPreserve);
  return wish != nullptr ? std::optional(ParseWish(*wish)) : std::nullopt;
}

NodeFacts GardenerDialect::ReadNodeFacts(const NodeRecord& node) const {
  NodeFacts facts{
      .wish = ReadNodeWish(node),
      .candidate = TextAt(node.labels, labels::kCandidate) == "true",
      .selected = TextAt(node.labels, labels::kSelected) == "true",
      .update_failure = std::string(TextAt(node.annotations, annotations::kUpdateFailedReason)),
      .not_managed = node.annotations.contains(annotations::kNotManaged)};
  const std::string_view result = TextAt(node.labels, labels::kUpdateResult);
  if (result == "successful") facts.update_result = 1;
  if (result == "failed") facts.update_result = -1;
  facts.kept_tainted = std::ranges::any_of(
      node.taints.get(), [](const core::Taint& taint) { return taint.key == taints::kPreserved; });
  TakeConditions(node, facts);
  return facts;
}

}  // namespace millwright::dialects::gardener
