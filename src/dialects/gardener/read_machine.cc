#include <fmt/format.h>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <climits>

#include "dialects/gardener/names.h"
#include "dialects/gardener/read.h"
#include "dialects/gardener/read_metadata.h"
#include "dialects/gardener/state_note.h"
#include "dialects/gardener/words.h"

namespace millwright::dialects::gardener {

using kube::ForEachField;
using kube::ForEachItem;
using kube::JsonObject;
using kube::JsonValue;
using kube::ReadInto;

namespace {

constexpr int kDefaultPriority = 3;
constexpr int kChosenPriority = 1;

// A comma list, taken exactly as it is: names of conditions are not trimmed.
std::vector<std::string> SplitList(std::string_view list) {
  std::vector<std::string> items;
  if (list.empty()) return items;
  for (size_t begin = 0; begin <= list.size();) {
    const size_t end = std::min(list.find(',', begin), list.size());
    items.emplace_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return items;
}

// Reads a spec, and gathers the bytes of what a set hands down.
class SpecReader {
 public:
  SpecReader(MachineRecord& machine, MachineLimits& limits, kube::TextPool& texts)
      : machine_(machine), limits_(limits), texts_(texts) {}

  Result<void> Field(std::string_view key, JsonValue value) {
    MachineLimits& limits = limits_;
    if (key == "class") return Class(value);
    if (key == "providerID") return ReadInto(value, texts_, machine_.instance);
    if (key == "nodeTemplate") {
      TRY(const std::string_view raw, kube::RawJson(value));
      Pass(key, raw);
      return {};
    }
    if (key == "drainTimeout") return Limit(key, value, limits.drain);
    if (key == "healthTimeout") return Limit(key, value, limits.health);
    if (key == "creationTimeout") return Limit(key, value, limits.creation);
    if (key == "inPlaceUpdateTimeout") return Limit(key, value, limits.update);
    if (key == "machinePreserveTimeout") return Limit(key, value, limits.preserve);
    if (key == "disableHealthTimeout") return Scalar(key, value, limits.never_fail_for_health);
    if (key == "maxEvictRetries") return Scalar(key, value, limits.evict_retries);
    if (key == "nodeConditions") {
      std::optional<std::string> list;
      CHECK_OK(Scalar(key, value, list));
      if (list) limits.node_conditions = SplitList(*list);
    }
    return {};
  }

  std::string Passed() const { return passed_ + '}'; }

 private:
  void Pass(std::string_view key, std::string_view raw) {
    if (passed_.size() > 1) passed_ += ',';
    passed_.append("\"").append(key).append("\":").append(raw);
  }

  // The bytes of a scalar may be looked at before it is read.
  template <class T>
  Result<void> Scalar(std::string_view key, JsonValue value, T& target) {
    Pass(key, value.raw_json_token());
    return ReadInto(value, target);
  }

  Result<void> Limit(std::string_view key, JsonValue value, std::optional<Duration>& target) {
    std::string text;
    CHECK_OK(Scalar(key, value, text));
    if (text.empty()) return {};
    const auto duration = ParseDuration(text);
    if (duration) {
      target = *duration;
    } else {
      machine_.problem = fmt::format(
          "spec.{} is \"{}\", which is no duration: write it like 90s or 2h30m", key, text);
    }
    return {};
  }

  Result<void> Class(JsonValue value) {
    CHECK_OK(ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
      if (key == "kind") return ReadInto(field, texts_, machine_.class_kind);
      if (key == "name") return ReadInto(field, texts_, machine_.class_name);
      return {};
    }));
    if (machine_.class_kind.empty()) return {};
    Pass("class",
         boost::json::serialize(boost::json::object{{"kind", machine_.class_kind.view()}}));
    return {};
  }

  MachineRecord& machine_;
  MachineLimits& limits_;
  kube::TextPool& texts_;
  std::string passed_ = "{";
};

Result<void> ReadSpec(JsonValue value, MachineRecord& machine, MachineLimits& limits,
                      SharedParts& parts) {
  SpecReader reader(machine, limits, parts.texts());
  CHECK_OK(ForEachField(
      value, [&](std::string_view key, JsonValue field) { return reader.Field(key, field); }));
  TRY(PassedTexts passed, parts.Passed(reader.Passed()));
  machine.passes = std::move(passed.passes);
  machine.node_template = std::move(passed.node_template);
  return {};
}

Result<void> ReadCurrentStatus(JsonValue value, MachineRecord& machine) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "lastUpdateTime") return ReadInto(field, machine.phase_since);
    if (key == "preserveExpiryTime") return ReadInto(field, machine.core.preservation.until);
    if (key != "phase") return {};
    std::string phase;
    CHECK_OK(ReadInto(field, phase));
    machine.core.phase = ParsePhase(phase);
    return {};
  });
}

Result<void> ReadOperation(JsonValue value, ShownOperation& operation) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "description") return ReadInto(field, operation.description);
    if (key == "errorCode") return ReadInto(field, operation.error_code);
    if (key == "lastUpdateTime") return ReadInto(field, operation.at);
    if (key != "state" && key != "type") return {};
    std::string word;
    CHECK_OK(ReadInto(field, word));
    if (key == "state") {
      operation.state = ParseOperationState(word);
    } else {
      operation.operation = ParseOperation(word);
    }
    return {};
  });
}

// Of the copy of a node's conditions we keep what is compared and shown: there are very many of
// them, and their words are on the node.
Result<void> ReadCondition(JsonValue value, kube::TextPool& texts, core::Condition& condition) {
  CHECK_OK(ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "type") return ReadInto(field, texts, condition.type);
    if (key == "status") return ReadInto(field, texts, condition.status);
    if (key == "lastTransitionTime") return ReadInto(field, condition.since);
    if (key == "reason") return ReadInto(field, texts, condition.reason);
    return {};
  }));
  const bool tells = condition.type == conditions::kInPlaceUpdate || condition.type == "Ready";
  if (!tells) condition.reason = Text();
  return {};
}

Result<void> ReadConditions(JsonValue value, SharedParts& parts, ConditionList& conditions) {
  std::vector<core::Condition> list;
  CHECK_OK(ForEachItem(value, [&](JsonValue item) {
    return ReadCondition(item, parts.texts(), list.emplace_back());
  }));
  conditions = parts.conditions().Share(list);
  return {};
}

Result<void> ReadStatus(JsonValue value, MachineRecord& machine, SharedParts& parts) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "currentStatus") return ReadCurrentStatus(field, machine);
    if (key == "lastOperation") return ReadOperation(field, machine.operation);
    if (key == "lastKnownState") return ReadInto(field, machine.remembered);
    if (key == "conditions") return ReadConditions(field, parts, machine.conditions);
    return {};
  });
}

core::Disposal DisposalOf(const kube::Labels& annotations) {
  const auto priority = NumberAt(annotations, annotations::kPriority);
  core::Disposal disposal{.priority = static_cast<int>(std::clamp<std::int64_t>(
                              priority.value_or(kDefaultPriority), INT_MIN, INT_MAX)),
                          .marked_at = TimeAt(annotations, annotations::kMarkedTime)};
  disposal.chosen = disposal.priority == kChosenPriority;
  return disposal;
}

void TakeWishes(const kube::Labels& annotations, MachineRecord& machine) {
  if (const std::string* wish = FindText(annotations, annotations::kPreserve)) {
    machine.wish = ParseWish(*wish);
    machine.core.preservation.wish = machine.wish->wish;
  }
  if (const std::string* applied = FindText(annotations, annotations::kAppliedNodePreserve)) {
    // An empty one says that the node's wish was taken back, and that we acted on that.
    if (!applied->empty()) machine.applied_from_node = ParseWish(*applied).wish;
  }
}

void TakeAnnotations(const kube::Labels& annotations, MachineRecord& machine,
                     MachineLimits& limits) {
  const std::string* priority = FindText(annotations, annotations::kPriority);
  machine.has_priority = priority != nullptr && !priority->empty();
  machine.core.disposal = DisposalOf(annotations);
  if (const auto limit = DurationAt(annotations, annotations::kCreationTimeout)) {
    limits.creation = *limit;
  }
  TakeWishes(annotations, machine);
  machine.phase_before_deletion = ParseStateNote(TextAt(annotations, annotations::kState)).before;
}

void TakeLabels(MachineRecord& machine) {
  const kube::TextMap& labels = machine.labels;
  if (const Text* node = labels.Find(labels::kNode)) machine.node = *node;
  machine.forced_deletion = IsTrue(labels.At(labels::kForceDeletion));
  machine.forced_drain = labels.At(labels::kForceDrain) == "True";
  machine.core.in_place.handed_over = labels.At(labels::kUpdateResult) == "successful";
}

void TakeMetadata(Metadata metadata, MachineRecord& machine, SharedParts& parts) {
  machine.core.created = metadata.created;
  machine.core.deleting_since = metadata.meta.deleting_since;
  if (metadata.owner && metadata.owner->kind == kSetKind) {
    machine.core.set = parts.texts().Share(metadata.owner->name);
  }
  machine.meta = std::move(metadata.meta);
  machine.owner = parts.OwnerOf(std::move(metadata.owner));
  machine.finalizers = parts.Finalizers(std::move(metadata.finalizers));
}

Result<void> ReadMachineMetadata(JsonValue value, Metadata& metadata, MachineRecord& machine,
                                 SharedParts& parts) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "labels") return parts.maps().ReadInto(field, machine.labels);
    return ReadMetadataField(key, field, metadata);
  });
}

// What follows from several fields together.
void Conclude(MachineRecord& machine) {
  core::MachineFacts& core = machine.core;
  core.has_node = !machine.node.empty();
  core.ready = core.phase == core::Phase::kRunning;
  core.available = core.ready || core.phase == core::Phase::kAvailable;
  core.unhealthy = core.phase == core::Phase::kUnhealthy || core.phase == core::Phase::kFailed;
  core.in_place.updating = core.phase == core::Phase::kUpdating;
  const auto update = machine.conditions.Find(conditions::kInPlaceUpdate);
  core.in_place.succeeded = update && update->reason == conditions::kUpdateSuccessful;
  if (core.phase == core::Phase::kDeleting) {
    machine.stage = ParseStage(machine.operation.description);
  }
  if (!machine.problem.empty()) return;
  if (machine.class_kind.empty()) {
    machine.problem = "spec.class.kind is missing: write MachineClass";
  } else if (machine.class_name.empty()) {
    machine.problem = "spec.class.name is missing: name the MachineClass of this machine";
  }
}

}  // namespace

Result<MachineRecord> ReadMachine(JsonObject object, SharedParts& parts) {
  MachineRecord machine;
  MachineLimits limits;
  Metadata metadata;
  CHECK_OK(ForEachField(object, [&](std::string_view key, JsonValue value) -> Result<void> {
    if (key == "metadata") return ReadMachineMetadata(value, metadata, machine, parts);
    if (key == "spec") return ReadSpec(value, machine, limits, parts);
    if (key == "status") return ReadStatus(value, machine, parts);
    return {};
  }));
  // After the spec: an annotation goes before its creation time-out.
  TakeAnnotations(metadata.annotations, machine, limits);
  TakeLabels(machine);
  machine.own_limits = parts.Limits(std::move(limits));
  TakeMetadata(std::move(metadata), machine, parts);
  Conclude(machine);
  return machine;
}

}  // namespace millwright::dialects::gardener
