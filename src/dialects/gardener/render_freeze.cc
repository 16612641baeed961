// Overshoot protection: the label that holds a set back, and the condition that says so.
#include "dialects/gardener/gardener.h"
#include "dialects/gardener/names.h"
#include "dialects/gardener/render_parts.h"
#include "dialects/gardener/shown_conditions.h"

namespace millwright::dialects::gardener {

namespace json = boost::json;

namespace {

// A status in which only this condition changes; empty if it is as it should be.
json::object WithFrozen(std::string_view status, const char* list, bool frozen,
                        json::object condition) {
  const json::array before = ShownConditions(StatusTree(status), list);
  const bool shown = FindShown(before, conditions::kFrozen) != nullptr;
  if (shown == frozen) return {};
  json::array after = before;
  if (frozen) {
    PutCondition(after, std::move(condition));
  } else {
    DropCondition(after, conditions::kFrozen);
  }
  json::value next = nullptr;
  if (!after.empty()) next = std::move(after);
  return {{"status", json::object{{list, std::move(next)}}}};
}

}  // namespace

json::object GardenerDialect::SetFrozen(const SetRecord& set, bool frozen) const {
  json::object patch;
  if (frozen) {
    if (!set.core.frozen) AddMetadata(patch, "labels", {{labels::kFreeze, "True"}});
    return patch;
  }
  if (set.labels.contains(labels::kFreeze)) {
    AddMetadata(patch, "labels", {{labels::kFreeze, nullptr}});
  }
  if (set.unfreeze_asked) AddMetadata(patch, "annotations", {{annotations::kUnfreeze, nullptr}});
  return patch;
}

json::object GardenerDialect::SetFrozenStatus(const SetRecord& set, bool frozen,
                                              const std::string& message, WallTime now) const {
  return WithFrozen(set.status.view(), "machineSetCondition", frozen,
                    {{"type", conditions::kFrozen},
                     {"status", "True"},
                     {"lastTransitionTime", FormatTime(now)},
                     {"reason", "OverShootingReplicaCount"},
                     {"message", message}});
}

json::object GardenerDialect::UnfreezeAsked(const SetRecord& set) const {
  if (set.unfreeze_asked) return {};
  return AnnotationPatch({{annotations::kUnfreeze, "true"}});
}

json::object GardenerDialect::DeploymentFrozenStatus(const DeploymentRecord& deployment,
                                                     bool frozen, bool follows,
                                                     WallTime now) const {
  return WithFrozen(
      deployment.status.view(), "conditions", frozen,
      {{"type", conditions::kFrozen},
       {"status", "True"},
       {"lastUpdateTime", FormatTime(now)},
       {"lastTransitionTime", FormatTime(now)},
       {"reason", follows ? "MachineDeploymentStateSync" : "OverShootingReplicaCount"},
       {"message",
        "A machine set has more machines than it may have: none are made until that is "
        "over"}});
}

}  // namespace millwright::dialects::gardener
