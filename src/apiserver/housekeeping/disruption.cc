#include "apiserver/housekeeping/disruption.h"

#include <algorithm>

#include <boost/json.hpp>

#include "apiserver/rest/selection.h"
#include "kube/api/json_text.h"
#include "kube/api/labels.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

constexpr const char* kController = "millwright-disruption";
constexpr std::string_view kBudgets = "/policy/poddisruptionbudgets/";
constexpr std::string_view kPods = "/core/pods/";

std::map<std::string, WallTime> DisruptedOf(const json::value& budget) {
  std::map<std::string, WallTime> disrupted;
  const json::object* pods = kube::GetObject(budget, "status.disruptedPods");
  if (pods == nullptr) return disrupted;
  for (const auto& [name, time] : *pods) {
    const auto at = time.is_string() ? ParseTime(time.get_string()) : Result<WallTime>(WallTime{});
    if (at) disrupted.emplace(name, *at);
  }
  return disrupted;
}

// Only what changes is written anew, and the time of a condition only when it turns.
void WriteStatus(const BudgetStatus& computed, WallTime now, json::value& budget) {
  json::object& object = budget.get_object();
  json::value& status_value = object["status"];
  if (!status_value.is_object()) status_value = json::object();
  json::object& status = status_value.get_object();
  status["currentHealthy"] = computed.healthy;
  status["desiredHealthy"] = computed.desired;
  status["disruptionsAllowed"] = computed.allowed;
  status["expectedPods"] = computed.expected;
  status["observedGeneration"] = kube::GetInt(budget, "metadata.generation");
  json::object disrupted;
  for (const auto& [name, time] : computed.disrupted) disrupted[name] = FormatTime(time);
  if (disrupted.empty()) {
    status.erase("disruptedPods");
  } else {
    status["disruptedPods"] = std::move(disrupted);
  }
  const bool allowed = computed.allowed > 0;
  json::object condition{{"lastTransitionTime", FormatTime(now)},
                         {"message", ""},
                         {"observedGeneration", kube::GetInt(budget, "metadata.generation")},
                         {"reason", allowed ? "SufficientPods" : "InsufficientPods"},
                         {"status", allowed ? "True" : "False"},
                         {"type", "DisruptionAllowed"}};
  if (const json::array* old = kube::GetArray(budget, "status.conditions")) {
    for (const json::value& known : *old) {
      if (kube::GetString(known, "type") == "DisruptionAllowed" &&
          kube::GetString(known, "status") == (allowed ? "True" : "False")) {
        condition["lastTransitionTime"] = kube::GetString(known, "lastTransitionTime");
      }
    }
  }
  status["conditions"] = json::array{std::move(condition)};
}

}  // namespace

Task<void> DisruptionController::Run() {
  while (true) {
    const auto budgets = services_.store.List({.scope = std::string(kBudgets)});
    if (!budgets) co_return;
    for (const RecordPtr& record : budgets->records) dirty_.insert(record->key);
    auto watcher = services_.store.Watch("", budgets->revision);
    while (watcher) {
      co_await UpdateDirty();
      if (co_await watcher->Wait() == Wake::kCancelled) co_return;
      // All that has come meanwhile, so that a storm of pods costs one look at each budget.
      bool behind = false;
      while (true) {
        const auto change = watcher->TryNext();
        behind = !change;
        if (!change || !*change) break;
        Note(**change);
      }
      if (behind) break;
    }
    if (co_await IsCancelled()) co_return;
  }
}

void DisruptionController::Note(const Change& change) {
  const std::string_view key = change.key();
  if (key.starts_with(kBudgets) && change.kind() != ChangeKind::kDelete) {
    dirty_.insert(std::string(key));
  } else if (key.starts_with(kPods) || key.starts_with("/apps/") ||
             key.starts_with("/core/replicationcontrollers/")) {
    MarkNamespace(PartsOf(key).namespace_);
  }
}

void DisruptionController::MarkNamespace(std::string_view namespace_) {
  const auto budgets =
      services_.store.List({.scope = std::string(kBudgets) + std::string(namespace_) + "/"});
  if (!budgets) return;
  for (const RecordPtr& record : budgets->records) dirty_.insert(record->key);
}

Task<void> DisruptionController::UpdateDirty() {
  while (!dirty_.empty()) {
    const std::string key = dirty_.extract(dirty_.begin()).value();
    const auto updated = co_await Update(key);
    if (updated || updated.error().kind() == ErrorKind::kNotFound) continue;
    if (updated.error().kind() == ErrorKind::kCancelled) co_return;
    log_.Warning("a disruption budget's status could not be written",
                 {{"object", key}, {"error", updated.error().message()}});
  }
}

Task<Result<void>> DisruptionController::Update(const std::string& key) {
  const KeyParts parts = PartsOf(key);
  const ResourcePtr resource = ResourceOfKey(services_.registry, parts);
  if (!resource || !services_.store.Get(key)) co_return Ok();
  Call call = CallOf(resource, parts.namespace_, parts.name, kController);
  call.place.subresource = "status";
  const auto changed = co_await ChangeObject(
      services_, call, Part::kStatus, {},
      [&](const json::value& old, std::vector<std::string>&) -> Result<NewState> {
        const json::value* selector = kube::Find(old, "spec.selector");
        TRY(const auto wanted,
            kube::DecodeLabelSelector(selector == nullptr ? json::value() : *selector));
        TRY(const Page page,
            services_.store.List({.scope = std::string(kPods) + call.place.namespace_ + "/"}));
        std::vector<json::value> chosen;
        std::vector<BudgetPod> pods;
        for (const RecordPtr& record : page.records) {
          json::value pod = json::parse(record->value);
          if (!wanted.Matches(LabelsOf(pod))) continue;
          const std::string_view phase = kube::GetString(pod, "status.phase");
          if (phase == "Succeeded" || phase == "Failed") continue;
          pods.push_back({.name = std::string(kube::GetString(pod, "metadata.name")),
                          .ready = IsPodReady(pod),
                          .ending = !kube::GetString(pod, "metadata.deletionTimestamp").empty()});
          chosen.push_back(std::move(pod));
        }
        const WallTime now = services_.clock.Now();
        NewState state{.object = old};
        WriteStatus(ComputeBudget(old.at("spec"), pods, WishedPods(chosen, call.place.namespace_),
                                  DisruptedOf(old), now),
                    now, state.object);
        return state;
      });
  if (!changed) co_return Failure(changed.error());
  co_return Ok();
}

// What the controllers of these pods want together; a pod without one wants itself.
std::int64_t DisruptionController::WishedPods(const std::vector<json::value>& pods,
                                              std::string_view namespace_) const {
  std::set<std::string> counted;
  std::int64_t wished = 0;
  for (const json::value& pod : pods) {
    const json::array* owners = kube::GetArray(pod, "metadata.ownerReferences");
    const json::value* controller = nullptr;
    if (owners != nullptr) {
      const auto found = std::ranges::find_if(
          *owners, [](const json::value& owner) { return kube::GetBool(owner, "controller"); });
      if (found != owners->end()) controller = &*found;
    }
    if (controller == nullptr) continue;
    if (!counted.insert(std::string(kube::GetString(*controller, "uid"))).second) continue;
    const auto kind = kube::ParseGroupVersionKind(kube::GetString(*controller, "apiVersion"),
                                                  kube::GetString(*controller, "kind"));
    const ResourcePtr resource = kind ? services_.registry.FindKind(*kind) : nullptr;
    if (!resource || !resource->scale) continue;
    const RecordPtr record = services_.store.Get(
        StorageKey(*resource, namespace_, kube::GetString(*controller, "name")));
    if (!record) continue;
    const std::string path = resource->scale->spec_replicas.substr(1);
    wished += kube::GetInt(json::parse(record->value), path);
  }
  return wished;
}

}  // namespace millwright::apiserver
