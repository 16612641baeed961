// Machines that are kept on purpose: what is written on them and on their nodes.
#include <fmt/format.h>

#include "dialects/gardener/gardener.h"
#include "dialects/gardener/names.h"
#include "dialects/gardener/render_parts.h"
#include "dialects/gardener/words.h"

namespace millwright::dialects::gardener {

namespace json = boost::json;

namespace {

core::Taint KeptTaint() {
  return {.key = std::string(taints::kPreserved),
          .value = {},
          .effect = std::string(taints::kNoScheduleEffect)};
}

json::value OrNull(std::string_view text) {
  return text.empty() ? json::value(nullptr) : json::value(text);
}

}  // namespace

json::object GardenerDialect::KeptUntil(const MachineRecord& machine,
                                        std::optional<WallTime> until) const {
  if (machine.core.preservation.until == until) return {};
  // The time of the last change stays: whoever is unwell does not become younger by being kept.
  return {{"status",
           {{"currentStatus",
             {{"preserveExpiryTime", OrNull(until ? FormatTime(*until) : std::string())}}}}}};
}

json::object GardenerDialect::NodeWishNoted(const MachineRecord& machine,
                                            core::PreserveWish wish) const {
  json::object changes;
  if (machine.wish) changes[annotations::kPreserve] = nullptr;
  const auto noted = machine.applied_from_node.value_or(core::PreserveWish::kNone);
  if (noted != wish) changes[annotations::kAppliedNodePreserve] = OrNull(WishText(wish));
  return AnnotationPatch(std::move(changes));
}

json::object GardenerDialect::WishesForgotten(const MachineRecord& machine) const {
  json::object changes;
  if (machine.wish) changes[annotations::kPreserve] = nullptr;
  if (machine.applied_from_node) changes[annotations::kAppliedNodePreserve] = nullptr;
  return AnnotationPatch(std::move(changes));
}

NodeChange GardenerDialect::KeptNode(const NodeRecord& node, const core::PreservePlan& plan) const {
  NodeChange change;
  const std::string disabled(annotations::kScaleDownDisabled);
  const std::string by_us(annotations::kScaleDownDisabledByUs);
  const std::string wish(annotations::kPreserve);
  if (plan.hold_scale_down) change.annotations.set = {{disabled, "true"}, {by_us, "true"}};
  if (plan.release_scale_down) change.annotations.remove = {disabled, by_us};
  if (plan.forget_wishes && node.annotations.contains(wish)) {
    change.annotations.remove.push_back(wish);
  }
  if (plan.taint || plan.untaint) {
    change.taints = TaintChange{.ours = {core::IdOf(KeptTaint())}};
    if (plan.taint) change.taints->wanted = {KeptTaint()};
  }
  return change;
}

core::Condition GardenerDialect::KeptCondition(const KeptReport& report) const {
  core::Condition condition{.type = std::string(conditions::kPreserved), .status = "True"};
  if (report.stopped) {
    condition.status = "False";
    condition.reason = "Preservation stopped.";
    return condition;
  }
  condition.reason = report.automatic ? "Preserved by MCM." : "Preserved by user.";
  const std::string until = fmt::format("Machine preserved until {}.", FormatTime(report.until));
  if (!report.drained) {
    condition.message = until;
  } else {
    if (!*report.drained) condition.status = "False";
    condition.message = fmt::format(
        "{} {}", *report.drained ? conditions::kNodeDrained : conditions::kNodeUndrained, until);
  }
  return condition;
}

}  // namespace millwright::dialects::gardener
