#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "dialects/gardener/canonical.h"
#include "dialects/gardener/names.h"
#include "dialects/gardener/read.h"
#include "dialects/gardener/read_metadata.h"
#include "dialects/gardener/shown_conditions.h"
#include "dialects/gardener/state_note.h"
#include "kube/api/json_text.h"

namespace millwright::dialects::gardener {

namespace json = boost::json;
using kube::ForEachField;
using kube::JsonObject;
using kube::JsonValue;
using kube::ReadInto;

namespace {

struct SpecReader {
  SetRecord& set;
  SharedParts& parts;
  SharedSelector selector = {};
  bool has_selector = false;

  Result<void> Field(std::string_view key, JsonValue value) {
    if (key == "replicas") return ReadInto(value, set.core.replicas);
    if (key == "minReadySeconds") return ReadInto(value, set.min_ready_seconds);
    if (key == "autoPreserveFailedMachineMax") return ReadInto(value, set.auto_preserve_max);
    if (key == "selector") {
      if (kube::IsNull(value)) return {};
      TRY(const std::string_view raw, kube::RawJson(value));
      selector = parts.Selector(raw);
      has_selector = true;
    }
    if (key == "template") {
      TRY(const std::string_view raw, kube::RawJson(value));
      TRY(set.machine_template, parts.Template(raw));
    }
    return {};
  }

  std::string Problem() const {
    if (set.core.replicas < 0) {
      return fmt::format("spec.replicas is {}: write 0 or more", set.core.replicas);
    }
    std::string problem = SelectorProblem(selector, has_selector, set.machine_template);
    return problem.empty() ? TemplateProblem(set.machine_template) : problem;
  }
};

Result<void> ReadSpec(JsonValue value, SetRecord& set, SharedParts& parts) {
  SpecReader reader{.set = set, .parts = parts};
  CHECK_OK(ForEachField(
      value, [&](std::string_view key, JsonValue field) { return reader.Field(key, field); }));
  set.selector = reader.has_selector ? reader.selector.selector : kube::LabelSelector::Nothing();
  set.problem = reader.Problem();
  return {};
}

Result<void> ReadStatus(JsonValue value, SetRecord& set, SharedParts& parts,
                        std::int64_t& observed) {
  if (kube::IsNull(value)) return {};
  TRY(const std::string_view raw, kube::RawJson(value));
  TRY(set.status, parts.Text(raw));
  TRY(const json::value status, kube::ParseJson(raw));
  set.core.seen = {.replicas = StatusCount(status, "replicas"),
                   .ready = StatusCount(status, "readyReplicas"),
                   .available = StatusCount(status, "availableReplicas"),
                   .fully_labelled = StatusCount(status, "fullyLabeledReplicas"),
                   .preserved_failed = StatusCount(status, "preservedFailedReplicas"),
                   .auto_preserved = StatusCount(status, "autoPreserveFailedMachineCount")};
  observed = kube::GetInt(status, "observedGeneration");
  set.shows_frozen =
      FindShown(ShownConditions(status, "machineSetCondition"), conditions::kFrozen) != nullptr;
  return {};
}

void TakeMetadata(Metadata metadata, SetRecord& set) {
  const kube::Labels& annotations = metadata.annotations;
  set.core.revision = NumberAt(annotations, annotations::kRevision).value_or(0);
  set.core.desired_note = CountAt(annotations, annotations::kDesiredReplicas);
  set.core.max_note = CountAt(annotations, annotations::kMaxReplicas);
  set.core.scaler_time = TimeAt(annotations, annotations::kScalerTime);
  set.core.frozen = TextAt(metadata.labels, labels::kFreeze) == "True";
  set.core.creation_disabled = metadata.labels.contains(labels::kScaleUpDisabled);
  set.unfreeze_asked = annotations.contains(annotations::kUnfreeze);
  set.nodes_marked = annotations.contains(annotations::kPreferNoSchedule);
  set.name_floor = ParseStateNote(TextAt(annotations, annotations::kState)).name_floor;

  set.core.uid = metadata.meta.uid;
  set.core.name = metadata.meta.key.name;
  set.core.created = metadata.created;
  set.core.deleting = metadata.meta.deleting_since.has_value();
  set.meta = std::move(metadata.meta);
  set.labels = std::move(metadata.labels);
  set.annotations = std::move(metadata.annotations);
  set.owner = std::move(metadata.owner);
  set.finalizers = std::move(metadata.finalizers);
}

}  // namespace

std::string TemplateProblem(const MachineTemplate& machine_template) {
  const auto parsed = kube::ParseJson(machine_template.whole.view());
  const json::value written = parsed ? *parsed : json::value(nullptr);
  if (kube::GetString(written, "spec.class.kind").empty()) {
    return "spec.template.spec.class.kind is missing: write MachineClass";
  }
  if (kube::GetString(written, "spec.class.name").empty()) {
    return "spec.template.spec.class.name is missing: name the MachineClass of its machines";
  }
  const std::string_view limit = UnreadableLimit(*kube::GetObject(written, "spec"));
  if (!limit.empty()) {
    return fmt::format("spec.template.spec.{} is no duration: write it like 90s or 2h30m", limit);
  }
  if (machine_template.labels.empty()) {
    return "spec.template.metadata.labels is missing: write labels that spec.selector matches";
  }
  return {};
}

std::string SelectorProblem(const SharedSelector& selector, bool written,
                            const MachineTemplate& machine_template) {
  if (!written) return "spec.selector is missing: write one that matches the template's labels";
  if (!selector.problem.empty()) return "spec.selector: " + selector.problem;
  if (selector.selector.Matches(machine_template.labels)) return {};
  return fmt::format(
      "spec.selector ({}) does not match spec.template.metadata.labels: its machines would not be "
      "its own; make them agree",
      selector.selector.ToString());
}

Result<SetRecord> ReadSet(JsonObject object, SharedParts& parts) {
  SetRecord set;
  Metadata metadata;
  std::int64_t observed = 0;
  bool has_spec = false;
  CHECK_OK(ForEachField(object, [&](std::string_view key, JsonValue value) -> Result<void> {
    if (key == "metadata") return ReadMetadata(value, metadata);
    if (key == "status") return ReadStatus(value, set, parts, observed);
    if (key != "spec") return {};
    has_spec = true;
    return ReadSpec(value, set, parts);
  }));
  if (!has_spec) {
    set.selector = kube::LabelSelector::Nothing();
    set.problem = "spec is missing: say how many machines, and of what template";
  }
  TakeMetadata(std::move(metadata), set);
  set.core.report_is_current = observed >= set.meta.generation;
  return set;
}

}  // namespace millwright::dialects::gardener
