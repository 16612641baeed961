// What a set makes, hands down and shows.
#include <fmt/format.h>
#include <boost/json/array.hpp>

#include "dialects/gardener/names.h"
#include "dialects/gardener/read_metadata.h"
#include "dialects/gardener/render.h"
#include "dialects/gardener/render_parts.h"
#include "dialects/gardener/shown_conditions.h"
#include "dialects/gardener/state_note.h"
#include "dialects/gardener/template_hash.h"
#include "kube/api/json_text.h"

namespace millwright::dialects::gardener {

namespace json = boost::json;

namespace {

constexpr const char* kConditionList = "machineSetCondition";

json::object Condition(std::string_view type, std::string_view reason, std::string_view message,
                       WallTime now) {
  return {{"type", type},
          {"status", "True"},
          {"lastTransitionTime", FormatTime(now)},
          {"reason", reason},
          {"message", message}};
}

json::array NextConditions(const json::value& shown, const SetReport& report, WallTime now) {
  json::array conditions = ShownConditions(shown, kConditionList);
  if (!report.failure) {
    DropCondition(conditions, conditions::kReplicaFailure);
  } else if (FindShown(conditions, conditions::kReplicaFailure) == nullptr) {
    PutCondition(conditions, Condition(conditions::kReplicaFailure,
                                       report.failure->creating ? "FailedCreate" : "FailedDelete",
                                       report.failure->message, now));
  }
  if (report.unfreeze) DropCondition(conditions, conditions::kFrozen);
  if (report.freeze && FindShown(conditions, conditions::kFrozen) == nullptr) {
    PutCondition(conditions, Condition(conditions::kFrozen, "OverShootingReplicaCount",
                                       report.freeze_message, now));
  }
  return conditions;
}

json::object Counts(const SetRecord& set, const SetReport& report) {
  const core::SetCounts& counts = report.counts;
  return {{"replicas", counts.replicas},
          {"fullyLabeledReplicas", counts.fully_labelled},
          {"readyReplicas", counts.ready},
          {"availableReplicas", counts.available},
          {"preservedFailedReplicas", counts.preserved_failed},
          {"autoPreserveFailedMachineCount", counts.auto_preserved},
          {"observedGeneration", set.meta.generation}};
}

bool SameCounts(const json::value& shown, const json::object& next) {
  for (const auto& [field, count] : next) {
    if (kube::GetInt(shown, field) != count.as_int64()) return false;
  }
  return true;
}

}  // namespace

Result<json::object> NewMachine(const SetRecord& set, const std::string& name) {
  if (set.machine_template.labels.empty()) {
    return Fail(ErrorKind::kInvalid,
                "spec.template.metadata.labels is missing: no set could find such machines");
  }
  json::object written = ObjectOf(set.machine_template.whole.view());
  const json::value whole(written);
  const json::object* wanted = kube::GetObject(whole, "metadata");
  json::object metadata{{"name", name}, {"namespace", set.meta.key.namespace_}};
  for (const char* field : {"labels", "annotations"}) {
    const json::value* texts = wanted != nullptr ? wanted->if_contains(field) : nullptr;
    if (texts != nullptr) metadata[field] = *texts;
  }
  // From the first: without it the machine could be gone before its instance is.
  metadata["finalizers"] =
      WithOurFinalizer(wanted != nullptr ? wanted->if_contains("finalizers") : nullptr);
  metadata["ownerReferences"] = ControlledBy(kSetKind, set.meta);

  json::object spec;
  if (const json::object* wished = kube::GetObject(whole, "spec")) spec = *wished;
  const std::string_view limit = TextAt(set.annotations, annotations::kCreationTimeout);
  if (const auto parsed = DurationAt(set.annotations, annotations::kCreationTimeout)) {
    if (!metadata.contains("annotations")) metadata["annotations"] = json::object();
    metadata["annotations"].get_object()[annotations::kCreationTimeout] = limit;
    spec["creationTimeout"] = FormatDuration(*parsed);
  }
  return json::object{{"apiVersion", kApiVersion},
                      {"kind", kMachineKind},
                      {"metadata", std::move(metadata)},
                      {"spec", std::move(spec)}};
}

json::object HandedDown(const SetRecord& set, const MachineRecord& machine) {
  json::object changes = Difference(machine.passes.view(), set.machine_template.passes.view());
  // One that is on its way out is left alone, but for what its class needs to be found.
  const bool active = machine.core.phase != core::Phase::kFailed && !machine.core.IsDeleting();
  if (!active) {
    json::object kind;
    if (const json::value* found = changes.if_contains("class")) kind["class"] = *found;
    changes = std::move(kind);
  }
  // The set's annotation goes before its template, and is in the machines already.
  if (DurationAt(set.annotations, annotations::kCreationTimeout)) changes.erase("creationTimeout");
  json::object patch;
  AddSpec(patch, std::move(changes));
  AddMetadata(patch, "labels", HashOnMachine(set, machine));
  return patch;
}

json::object SetStatus(const SetRecord& set, const SetReport& report, WallTime now) {
  const json::value shown = StatusTree(set.status.view());
  json::object status = Counts(set, report);
  const json::array conditions = NextConditions(shown, report, now);
  const json::value failed(FailedMachinesJson(report.failed));
  const bool same_conditions = conditions == ShownConditions(shown, kConditionList);
  const bool same_failed =
      FailedMachinesKey(&failed) == FailedMachinesKey(kube::Find(shown, "failedMachines"));
  if (SameCounts(shown, status) && same_conditions && same_failed) return {};

  if (!same_conditions) {
    status[kConditionList] = conditions.empty() ? json::value(nullptr) : json::value(conditions);
  }
  if (!same_failed) {
    status["failedMachines"] = report.failed.empty() ? json::value(nullptr) : failed;
  }
  status["lastOperation"] = json::object{{"lastUpdateTime", FormatTime(now)}};
  return {{"status", std::move(status)}};
}

json::object NameFloor(const SetRecord& set, std::uint32_t floor) {
  if (set.name_floor == floor) return {};
  return AnnotationPatch({{annotations::kState, StateNoteText({.name_floor = floor})}});
}

}  // namespace millwright::dialects::gardener
