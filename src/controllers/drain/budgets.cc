#include "controllers/drain/budgets.h"

#include <algorithm>

#include "kube/api/json_text.h"

namespace millwright::controllers {

namespace json = boost::json;

namespace {

const kube::GroupVersionResource kBudgets{"policy", "v1", "poddisruptionbudgets"};

Budget ReadBudget(const json::value& object) {
  const kube::ObjectKey key{std::string(kube::GetString(object, "metadata.namespace")),
                            std::string(kube::GetString(object, "metadata.name"))};
  Budget budget{.key = key.ToString(), .selector = kube::LabelSelector::Nothing(), .numbers = {}};
  if (const json::value* selector = kube::Find(object, "spec.selector")) {
    auto decoded = kube::DecodeLabelSelector(*selector);
    if (decoded) budget.selector = *std::move(decoded);
  }
  const auto count = [&](std::string_view path) {
    return static_cast<int>(kube::GetInt(object, path));
  };
  const json::object* disrupted = kube::GetObject(object, "status.disruptedPods");
  budget.numbers = {.generation = kube::GetInt(object, "metadata.generation"),
                    .observed_generation = kube::GetInt(object, "status.observedGeneration"),
                    .expected = count("status.expectedPods"),
                    .healthy = count("status.currentHealthy"),
                    .allowed = count("status.disruptionsAllowed"),
                    .disrupted = disrupted == nullptr ? 0 : static_cast<int>(disrupted->size())};
  return budget;
}

}  // namespace

Result<std::vector<Budget>> ParseBudgets(std::string_view list) {
  TRY(const json::value tree, kube::ParseJson(list));
  std::vector<Budget> budgets;
  if (const json::array* items = kube::GetArray(tree, "items")) {
    for (const json::value& item : *items) budgets.push_back(ReadBudget(item));
  }
  std::ranges::sort(budgets, {}, &Budget::key);
  return budgets;
}

Task<Result<std::vector<Budget>>> ReadBudgets(kube::Client& client, std::string namespace_) {
  CO_TRY(const std::string list,
         co_await client.List(kBudgets, {.namespace_ = std::move(namespace_)}));
  co_return ParseBudgets(list);
}

Refusal ExplainRefusal(std::span<const Budget> budgets, const kube::Labels& pod, std::string said) {
  const Budget* full = nullptr;
  for (const Budget& budget : budgets) {
    if (!budget.selector.Matches(pod)) continue;
    if (core::ForbidsForGood(budget.numbers)) {
      return {core::DrainAnswer::kForbidden,
              "PodDisruptionBudget " + budget.key +
                  " allows no disruption, and will not until somebody changes it"};
    }
    // The first one, unless a later one is certainly exhausted.
    if (full == nullptr || (full->numbers.allowed > 0 && budget.numbers.allowed <= 0)) {
      full = &budget;
    }
  }
  if (full == nullptr) return {core::DrainAnswer::kRefused, std::move(said)};
  return {core::DrainAnswer::kRefused,
          "PodDisruptionBudget " + full->key + " allows no disruption now"};
}

}  // namespace millwright::controllers
