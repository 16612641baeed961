// Evicting a pod: a deletion that asks the disruption budgets first.
#include <fmt/format.h>

#include <boost/json.hpp>

#include "apiserver/housekeeping/disruption.h"
#include "apiserver/rest/admit.h"
#include "apiserver/rest/body.h"
#include "apiserver/rest/failures.h"
#include "apiserver/rest/read.h"
#include "apiserver/rest/selection.h"
#include "kube/api/json_text.h"
#include "kube/api/labels.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

constexpr std::string_view kBudgets = "/policy/poddisruptionbudgets/";

bool Covers(const json::value& budget, const json::value& pod) {
  const json::value* selector = kube::Find(budget, "spec.selector");
  if (selector == nullptr) return false;
  const auto wanted = kube::DecodeLabelSelector(*selector);
  return wanted && wanted->Matches(LabelsOf(pod));
}

// A pod that does not run needs nobody's leave.
bool IsFreeToGo(const json::value& pod) {
  const std::string_view phase = kube::GetString(pod, "status.phase");
  return phase == "Succeeded" || phase == "Failed" || phase == "Pending" ||
         !kube::GetString(pod, "metadata.deletionTimestamp").empty();
}

Failure TooFewPods(const json::value& budget) {
  kube::Status status{
      .status = "Failure",
      .message = "Cannot evict pod as it would violate the pod's disruption budget.",
      .reason = "TooManyRequests",
      .details = {},
      .code = 429};
  status.details.causes = {
      {.reason = "DisruptionBudget",
       .message = fmt::format("The disruption budget {} needs {} healthy pods and has {} currently",
                              kube::GetString(budget, "metadata.name"),
                              kube::GetInt(budget, "status.desiredHealthy"),
                              kube::GetInt(budget, "status.currentHealthy")),
       .field = ""}};
  return Refuse(std::move(status));
}

Failure NotLookedAtYet(const json::value& budget) {
  kube::Status status{
      .status = "Failure",
      .message = "Cannot evict pod as it would violate the pod's disruption budget.",
      .reason = "TooManyRequests",
      .details = {},
      .code = 429};
  status.details.retry_after_seconds = 10;
  status.details.causes = {
      {.reason = "DisruptionBudget",
       .message = fmt::format("The disruption budget {} is still being processed by the server.",
                              kube::GetString(budget, "metadata.name")),
       .field = ""}};
  return Refuse(std::move(status));
}

// An unhealthy pod may go if the budget is kept without it, or if the budget says so.
bool MayGoUnhealthy(const json::value& budget, const json::value& pod) {
  if (IsPodReady(pod)) return false;
  if (kube::GetString(budget, "spec.unhealthyPodEvictionPolicy") == "AlwaysAllow") return true;
  const std::int64_t desired = kube::GetInt(budget, "status.desiredHealthy");
  return desired > 0 && kube::GetInt(budget, "status.currentHealthy") >= desired;
}

// Takes one disruption from the budget, or says why there is none.
Task<Result<void>> Spend(const Services& services, const std::string& key, const json::value& pod,
                         bool dry_run) {
  const KeyParts parts = PartsOf(key);
  const ResourcePtr resource = ResourceOfKey(services.registry, parts);
  Call call = CallOf(resource, parts.namespace_, parts.name, "millwright-eviction");
  call.place.subresource = "status";
  const auto spent = co_await ChangeObject(
      services, call, Part::kStatus, {.dry_run = dry_run},
      [&](const json::value& old, std::vector<std::string>&) -> Result<NewState> {
        NewState state{.object = old};
        if (MayGoUnhealthy(old, pod)) return state;
        if (kube::GetInt(old, "status.observedGeneration") <
            kube::GetInt(old, "metadata.generation")) {
          return NotLookedAtYet(old);
        }
        const std::int64_t allowed = kube::GetInt(old, "status.disruptionsAllowed");
        if (allowed <= 0) return TooFewPods(old);
        json::object& status = state.object.at("status").get_object();
        status["disruptionsAllowed"] = allowed - 1;
        json::value& disrupted = status["disruptedPods"];
        if (!disrupted.is_object()) disrupted = json::object();
        disrupted.get_object()[kube::GetString(pod, "metadata.name")] =
            FormatTime(services.clock.Now());
        return state;
      });
  if (!spent) co_return Failure(spent.error());
  co_return Ok();
}

// An eviction is itself what admission is asked about, not the deletion that it leads to.
Task<Result<void>> Admit(const Services& services, const Call& call, json::value eviction,
                         bool dry_run, std::vector<std::string>& warnings) {
  const kube::GroupVersionKind kind{"policy", "v1", "Eviction"};
  if (!eviction.is_object()) eviction = json::object();
  eviction.get_object()["apiVersion"] = kind.ApiVersion();
  eviction.get_object()["kind"] = kind.kind;
  MetadataOf(eviction)["namespace"] = call.place.namespace_;
  Admitting admitting(services, call, Admittance::Operation::kCreate, dry_run,
                      OptionsObject("CreateOptions", call.target, {.dry_run = dry_run}));
  admitting.SetForm(kind);
  CO_CHECK(co_await admitting.Mutate(&eviction, warnings));
  co_return co_await admitting.Validate(&eviction, warnings);
}

}  // namespace

Task<Result<Answer>> EvictPod(const Services& services, const Call& call) {
  CO_TRY(const json::value body, DecodeOptionalBody(services, call));
  const std::string_view named = kube::GetString(body, "metadata.name");
  if (!named.empty() && named != call.place.name) {
    co_return BadRequest(fmt::format("name in URL does not match name in Eviction object: {} != {}",
                                     call.place.name, named));
  }
  const json::value* wishes = kube::Find(body, "deleteOptions");
  CO_TRY(auto options,
         ReadRemovalOptions(wishes == nullptr ? json::value() : *wishes, call.target));
  Answer answer{
      .code = 201,
      .text = R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success","code":201})"};
  CO_CHECK(co_await Admit(services, call, body, options.dry_run, answer.warnings));
  options.admitted = true;
  CO_TRY(const RecordPtr record, FindRecord(services, call));
  const json::value pod = json::parse(record->value);
  if (!IsFreeToGo(pod)) {
    std::vector<std::string> budgets;
    CO_TRY(const Page page,
           services.store.List({.scope = std::string(kBudgets) + call.place.namespace_ + "/"}));
    for (const RecordPtr& budget : page.records) {
      if (Covers(json::parse(budget->value), pod)) budgets.push_back(budget->key);
    }
    if (budgets.size() > 1) {
      co_return Fail(ErrorKind::kInternal,
                     "This pod has more than one PodDisruptionBudget, which the eviction "
                     "subresource does not support.");
    }
    if (!budgets.empty()) {
      CO_CHECK(co_await Spend(services, budgets.front(), pod, options.dry_run));
    }
  }
  CO_CHECK(co_await RemoveWith(services, call, std::move(options)));
  co_return answer;
}

}  // namespace millwright::apiserver
