#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "dialects/gardener/names.h"
#include "dialects/gardener/read.h"
#include "dialects/gardener/read_metadata.h"
#include "dialects/gardener/scaler_marks_text.h"
#include "dialects/gardener/shown_conditions.h"
#include "dialects/gardener/words.h"
#include "kube/api/json_text.h"

namespace millwright::dialects::gardener {

namespace json = boost::json;
using kube::ForEachField;
using kube::JsonObject;
using kube::JsonValue;
using kube::ReadInto;

namespace {

// An amount as it was written: nothing, a number, or text that should be a percentage.
struct WrittenAmount {
  std::optional<core::Amount> amount;
  std::string problem;
};

Result<void> ReadAmount(JsonValue value, WrittenAmount& target) {
  if (kube::IsNull(value)) return {};
  std::int32_t number = 0;
  if (ReadInto(value, number)) {
    target.amount = core::Amount::Of(number);
    return {};
  }
  std::string text;
  CHECK_OK(ReadInto(value, text));
  const auto percent = core::Amount::ParsePercent(text);
  if (percent) {
    target.amount = *percent;
  } else {
    target.problem = percent.error().message();
  }
  return {};
}

struct Update {
  bool written = false;
  WrittenAmount surge;
  WrittenAmount unavailable;
  std::string orchestration;
};

Result<void> ReadUpdate(JsonValue value, Update& update) {
  update.written = !kube::IsNull(value);
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "maxSurge") return ReadAmount(field, update.surge);
    if (key == "maxUnavailable") return ReadAmount(field, update.unavailable);
    if (key == "orchestrationType") return ReadInto(field, update.orchestration);
    return {};
  });
}

// The strategy as it was written, and what it comes to.
struct StrategyReader {
  std::string type = {};
  Update rolling = {};
  Update in_place = {};

  Result<void> Read(JsonValue value) {
    return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
      if (key == "type") return ReadInto(field, type);
      if (key == "rollingUpdate") return ReadUpdate(field, rolling);
      if (key == "inPlaceUpdate") return ReadUpdate(field, in_place);
      return {};
    });
  }

  // Fills the deployment in, or says why that cannot be done.
  std::string Apply(core::Deployment& deployment) const {
    if (type.empty()) {
      return "spec.strategy.type is missing: write RollingUpdate, Recreate or InPlaceUpdate";
    }
    if (type == "Recreate") {
      deployment.strategy = core::Strategy::kRecreate;
      return {};
    }
    if (type == "RollingUpdate") {
      deployment.strategy = core::Strategy::kRollingUpdate;
      return ApplyLimits(rolling, "rollingUpdate", deployment);
    }
    if (type != "InPlaceUpdate") {
      return fmt::format(
          "spec.strategy.type is \"{}\": write RollingUpdate, Recreate or InPlaceUpdate", type);
    }
    const bool manual = in_place.orchestration == "Manual";
    deployment.strategy = manual ? core::Strategy::kInPlaceManual : core::Strategy::kInPlaceAuto;
    std::string problem = ApplyLimits(in_place, "inPlaceUpdate", deployment);
    if (problem.empty() && !manual && in_place.orchestration != "Auto") {
      problem = fmt::format(
          "spec.strategy.inPlaceUpdate.orchestrationType is \"{}\": write Auto or Manual",
          in_place.orchestration);
    }
    return problem;
  }

  static std::string ApplyLimits(const Update& update, std::string_view field,
                                 core::Deployment& deployment) {
    if (!update.written) {
      return fmt::format("spec.strategy.{} is missing: write maxSurge and maxUnavailable into it",
                         field);
    }
    std::string problem = ApplyLimit(update.surge, field, "maxSurge", deployment.max_surge);
    if (!problem.empty()) return problem;
    return ApplyLimit(update.unavailable, field, "maxUnavailable", deployment.max_unavailable);
  }

  static std::string ApplyLimit(const WrittenAmount& written, std::string_view parent,
                                std::string_view field, core::Amount& target) {
    const std::string path = fmt::format("spec.strategy.{}.{}", parent, field);
    if (!written.problem.empty()) {
      return fmt::format("{}: {}; write a number, or text like \"25%\"", path, written.problem);
    }
    if (!written.amount) return path + " is missing: write a number, or text like \"25%\"";
    if (written.amount->value() < 0) return path + " is negative: write 0 or more";
    target = *written.amount;
    return {};
  }
};

struct SpecReader {
  DeploymentRecord& deployment;
  SharedParts& parts;
  StrategyReader strategy = {};
  SharedSelector selector = {};
  bool has_selector = false;

  Result<void> Field(std::string_view key, JsonValue value) {
    core::Deployment& core = deployment.core;
    if (key == "replicas") return ReadInto(value, core.replicas);
    if (key == "minReadySeconds") return ReadInto(value, deployment.min_ready_seconds);
    if (key == "autoPreserveFailedMachineMax") {
      return ReadInto(value, deployment.auto_preserve_max);
    }
    if (key == "paused") return ReadInto(value, core.paused);
    if (key == "revisionHistoryLimit") return ReadInto(value, core.history_limit);
    if (key == "strategy") return strategy.Read(value);
    if (key == "rollbackTo") return RollbackTo(value);
    if (key == "progressDeadlineSeconds") {
      std::optional<std::int32_t> seconds;
      CHECK_OK(ReadInto(value, seconds));
      if (seconds) core.progress_deadline = std::chrono::seconds(*seconds);
    }
    if (key == "selector") {
      if (kube::IsNull(value)) return {};
      TRY(const std::string_view raw, kube::RawJson(value));
      selector = parts.Selector(raw);
      has_selector = true;
    }
    if (key == "template") {
      TRY(const std::string_view raw, kube::RawJson(value));
      TRY(deployment.machine_template, parts.Template(raw));
    }
    return {};
  }

  Result<void> RollbackTo(JsonValue value) {
    if (kube::IsNull(value)) return {};
    std::int64_t revision = 0;
    CHECK_OK(ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
      return key == "revision" ? ReadInto(field, revision) : Result<void>();
    }));
    deployment.core.rollback_to = revision;
    return {};
  }

  std::string Problem() {
    if (deployment.core.replicas < 0) {
      return fmt::format("spec.replicas is {}: write 0 or more", deployment.core.replicas);
    }
    std::string problem = strategy.Apply(deployment.core);
    if (!problem.empty()) return problem;
    problem = SelectorProblem(selector, has_selector, deployment.machine_template);
    return problem.empty() ? TemplateProblem(deployment.machine_template) : problem;
  }
};

Result<void> ReadSpec(JsonValue value, DeploymentRecord& deployment, SharedParts& parts) {
  SpecReader reader{.deployment = deployment, .parts = parts};
  CHECK_OK(ForEachField(
      value, [&](std::string_view key, JsonValue field) { return reader.Field(key, field); }));
  deployment.selector =
      reader.has_selector ? reader.selector.selector : kube::LabelSelector::Nothing();
  deployment.problem = reader.Problem();
  return {};
}

std::optional<core::Progress> ProgressOf(const json::array& conditions) {
  const json::object* shown = FindShown(conditions, conditions::kProgressing);
  if (shown == nullptr) return std::nullopt;
  const json::value condition(*shown);
  const auto reason = ParseProgressReason(kube::GetString(condition, "reason"));
  if (!reason) return std::nullopt;
  const auto updated = ParseTime(kube::GetString(condition, "lastUpdateTime"));
  return core::Progress{.status = ParseConditionStatus(kube::GetString(condition, "status")),
                        .reason = *reason,
                        .updated_at = updated ? *updated : WallTime()};
}

Result<void> ReadStatus(JsonValue value, DeploymentRecord& deployment, SharedParts& parts) {
  if (kube::IsNull(value)) return {};
  TRY(const std::string_view raw, kube::RawJson(value));
  TRY(deployment.status, parts.Text(raw));
  TRY(const json::value status, kube::ParseJson(raw));
  deployment.seen = {.replicas = StatusCount(status, "replicas"),
                     .updated = StatusCount(status, "updatedReplicas"),
                     .ready = StatusCount(status, "readyReplicas"),
                     .available = StatusCount(status, "availableReplicas"),
                     .preserved_failed = StatusCount(status, "preservedFailedReplicas")};
  deployment.observed_generation = kube::GetInt(status, "observedGeneration");
  deployment.collision_count = StatusCount(status, "collisionCount");
  const json::array shown = ShownConditions(status, "conditions");
  deployment.progress = ProgressOf(shown);
  deployment.shows_frozen = FindShown(shown, conditions::kFrozen) != nullptr;
  return {};
}

void TakeMetadata(Metadata metadata, DeploymentRecord& deployment) {
  const kube::Labels& annotations = metadata.annotations;
  deployment.revision = NumberAt(annotations, annotations::kRevision).value_or(0);
  deployment.frozen = TextAt(metadata.labels, labels::kFreeze) == "True";
  deployment.unfreeze_asked = annotations.contains(annotations::kUnfreeze);
  if (const std::string* written = FindText(annotations, annotations::kTriggerDeletion)) {
    // Marks without a time are from the scaler's last change; it cannot be older than the
    // deployment.
    const auto fallback = TimeAt(annotations, annotations::kScalerTime);
    ScalerMarks marks = ParseScalerMarks(*written, fallback.value_or(metadata.created));
    deployment.scaler_marks = std::move(marks.marks);
    deployment.scaler_marks_untidy = marks.untidy;
  }

  deployment.core.name = metadata.meta.key.name;
  deployment.created = metadata.created;
  deployment.meta = std::move(metadata.meta);
  deployment.labels = std::move(metadata.labels);
  deployment.annotations = std::move(metadata.annotations);
  deployment.finalizers = std::move(metadata.finalizers);
}

}  // namespace

Result<DeploymentRecord> ReadDeployment(JsonObject object, SharedParts& parts) {
  DeploymentRecord deployment;
  Metadata metadata;
  bool has_spec = false;
  CHECK_OK(ForEachField(object, [&](std::string_view key, JsonValue value) -> Result<void> {
    if (key == "metadata") return ReadMetadata(value, metadata);
    if (key == "status") return ReadStatus(value, deployment, parts);
    if (key != "spec") return {};
    has_spec = true;
    return ReadSpec(value, deployment, parts);
  }));
  if (!has_spec) {
    deployment.selector = kube::LabelSelector::Nothing();
    deployment.problem = "spec is missing: say how many machines, and of what template";
  }
  TakeMetadata(std::move(metadata), deployment);
  return deployment;
}

}  // namespace millwright::dialects::gardener
