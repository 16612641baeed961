#include "controllers/drain/budget_record.h"

#include "kube/api/json_text.h"
#include "kube/projection/raw_json.h"

namespace millwright::controllers {

using kube::ForEachField;
using kube::JsonObject;
using kube::JsonValue;
using kube::ReadInto;

namespace {

Result<void> ReadMetadata(JsonValue value, BudgetRecord& budget) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "generation") return ReadInto(field, budget.numbers.generation);
    return kube::ReadMetaField(key, field, budget.meta);
  });
}

Result<void> ReadSpec(JsonValue value, BudgetRecord& budget) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key != "selector" || kube::IsNull(field)) return {};
    TRY(const std::string_view raw, kube::RawJson(field));
    TRY(const boost::json::value parsed, kube::ParseJson(raw));
    auto decoded = kube::DecodeLabelSelector(parsed);
    if (decoded) budget.selector = *std::move(decoded);
    return {};
  });
}

Result<void> ReadStatus(JsonValue value, core::DisruptionBudget& numbers) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "observedGeneration") return ReadInto(field, numbers.observed_generation);
    if (key == "expectedPods") return ReadInto(field, numbers.expected);
    if (key == "currentHealthy") return ReadInto(field, numbers.healthy);
    if (key == "disruptionsAllowed") return ReadInto(field, numbers.allowed);
    if (key != "disruptedPods") return {};
    return ForEachField(field, [&](std::string_view, JsonValue) -> Result<void> {
      ++numbers.disrupted;
      return {};
    });
  });
}

}  // namespace

Result<BudgetRecord> ReadBudget(JsonObject object) {
  BudgetRecord budget;
  CHECK_OK(ForEachField(object, [&](std::string_view key, JsonValue value) -> Result<void> {
    if (key == "metadata") return ReadMetadata(value, budget);
    if (key == "spec") return ReadSpec(value, budget);
    return key == "status" ? ReadStatus(value, budget.numbers) : Result<void>();
  }));
  return budget;
}

}  // namespace millwright::controllers
