#include "apiserver/housekeeping/budget.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include <boost/json.hpp>

#include "kube/api/json_text.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

// A number, or a percentage of the whole, rounded up.
std::optional<std::int64_t> AmountOf(const json::value& spec, std::string_view field,
                                     std::int64_t whole) {
  const json::value* value = kube::Find(spec, field);
  if (value == nullptr || value->is_null()) return std::nullopt;
  if (value->is_int64()) return value->get_int64();
  if (!value->is_string()) return std::nullopt;
  const std::string_view text = value->get_string();
  std::int64_t percent = 0;
  std::from_chars(text.data(), text.data() + text.size(), percent);
  return (whole * percent + 99) / 100;
}

bool IsPercentage(const json::value* value) { return value != nullptr && value->is_string(); }

}  // namespace

bool CountsWished(const json::value& spec) {
  const json::value* unavailable = kube::Find(spec, "maxUnavailable");
  return (unavailable != nullptr && !unavailable->is_null()) ||
         IsPercentage(kube::Find(spec, "minAvailable"));
}

bool IsPodReady(const json::value& pod) {
  const json::array* conditions = kube::GetArray(pod, "status.conditions");
  if (conditions == nullptr) return false;
  return std::ranges::any_of(*conditions, [](const json::value& condition) {
    return kube::GetString(condition, "type") == "Ready" &&
           kube::GetString(condition, "status") == "True";
  });
}

BudgetStatus ComputeBudget(const json::value& spec, const std::vector<BudgetPod>& pods,
                           std::int64_t wished, const std::map<std::string, WallTime>& disrupted,
                           WallTime now) {
  BudgetStatus status;
  status.expected = CountsWished(spec) ? wished : static_cast<std::int64_t>(pods.size());
  for (const BudgetPod& pod : pods) {
    const auto evicted = disrupted.find(pod.name);
    const bool pending =
        evicted != disrupted.end() && !pod.ending && now - evicted->second < kDisruptionTimeout;
    if (pending) status.disrupted.insert(*evicted);
    if (pod.ready && !pod.ending && !pending) ++status.healthy;
  }
  if (const auto most_gone = AmountOf(spec, "maxUnavailable", status.expected)) {
    status.desired = std::max<std::int64_t>(status.expected - *most_gone, 0);
  } else {
    status.desired = AmountOf(spec, "minAvailable", status.expected).value_or(1);
  }
  const std::int64_t spare = status.healthy - status.desired;
  status.allowed = status.expected <= 0 ? 0 : std::max<std::int64_t>(spare, 0);
  return status;
}

}  // namespace millwright::apiserver
