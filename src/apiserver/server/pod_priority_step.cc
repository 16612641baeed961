#include "apiserver/server/pod_priority_step.h"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "apiserver/housekeeping/self.h"
#include "apiserver/rest/change.h"
#include "apiserver/rest/failures.h"
#include "kube/api/json_text.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

constexpr std::string_view kClasses = "/scheduling.k8s.io/priorityclasses/";

struct SystemClass {
  const char* name;
  std::int64_t value;
  const char* description;
};

constexpr SystemClass kSystemClasses[] = {
    {"system-node-critical", 2000001000, "For pods that their node cannot do without."},
    {"system-cluster-critical", 2000000000,
     "For pods that the cluster cannot do without, on whichever node."},
};

bool IsNewPod(const Admittance& about) {
  return about.operation == Admittance::Operation::kCreate && about.resource.kind.group.empty() &&
         about.resource.plural == "pods" && about.place.subresource.empty();
}

// What the class says must not be said otherwise.
Result<void> Settle(const Admittance& about, const json::value& class_, json::object& spec) {
  const std::int64_t priority = kube::GetInt(class_, "value");
  const json::value* own = spec.if_contains("priority");
  if (own != nullptr && own->is_int64() && own->get_int64() != priority) {
    return Forbidden(about.resource, about.name,
                     fmt::format("the integer value of priority ({}) must not be provided in pod "
                                 "spec; priority admission controller computed {} from the given "
                                 "PriorityClass name",
                                 own->get_int64(), priority));
  }
  spec["priority"] = priority;
  const std::string_view policy =
      kube::GetString(class_, "preemptionPolicy", "PreemptLowerPriority");
  const json::value* own_policy = spec.if_contains("preemptionPolicy");
  if (own_policy != nullptr && own_policy->is_string() && own_policy->get_string() != policy) {
    return Forbidden(about.resource, about.name,
                     fmt::format("the string value of PreemptionPolicy ({}) must not be provided "
                                 "in pod spec; priority admission controller computed {} from the "
                                 "given PriorityClass name",
                                 std::string_view(own_policy->get_string()), policy));
  }
  spec["preemptionPolicy"] = policy;
  return Ok();
}

}  // namespace

json::value PodPriorityStep::DefaultClass() const {
  json::value chosen;
  const auto page = store_.List({.scope = std::string(kClasses)});
  if (!page) return chosen;
  for (const RecordPtr& record : page->records) {
    json::value one = json::parse(record->value);
    if (!kube::GetBool(one, "globalDefault")) continue;
    const bool lower =
        chosen.is_null() || kube::GetInt(one, "value") < kube::GetInt(chosen, "value");
    if (lower) chosen = std::move(one);
  }
  return chosen;
}

Task<Result<void>> PodPriorityStep::Mutate(const Admittance& about, json::value* object,
                                           std::vector<std::string>& /*warnings*/) {
  if (!IsNewPod(about) || object == nullptr || !object->is_object()) co_return Ok();
  json::value& spec_value = object->get_object()["spec"];
  if (!spec_value.is_object()) spec_value = json::object();
  json::object& spec = spec_value.get_object();
  const std::string name(kube::GetString(*object, "spec.priorityClassName"));
  if (name.empty()) {
    const json::value chosen = DefaultClass();
    if (!chosen.is_null()) spec["priorityClassName"] = kube::GetString(chosen, "metadata.name");
    co_return Settle(about, chosen, spec);
  }
  const RecordPtr record = store_.Get(std::string(kClasses) + name);
  if (!record) {
    co_return Forbidden(about.resource, about.name,
                        fmt::format("no PriorityClass with name {} was found", name));
  }
  co_return Settle(about, json::parse(record->value), spec);
}

Task<Result<void>> PodPriorityStep::Validate(const Admittance& about, const json::value* object,
                                             std::vector<std::string>& /*warnings*/) {
  const bool concerns = about.resource.kind.group == "scheduling.k8s.io" &&
                        about.resource.plural == "priorityclasses" && object != nullptr &&
                        kube::GetBool(*object, "globalDefault");
  if (!concerns) co_return Ok();
  const json::value chosen = DefaultClass();
  const std::string_view other = kube::GetString(chosen, "metadata.name");
  const bool first = chosen.is_null() ||
                     (about.operation == Admittance::Operation::kUpdate && other == about.name);
  if (first) co_return Ok();
  co_return Forbidden(about.resource, about.name,
                      fmt::format("PriorityClass {} is already marked as default. Only one default "
                                  "can exist",
                                  other));
}

Task<Result<void>> EnsureSystemPriorities(const Services& services) {
  const ResourcePtr resource = services.registry.Find("scheduling.k8s.io", "v1", "priorityclasses");
  for (const SystemClass& wanted : kSystemClasses) {
    if (services.store.Get(StorageKey(*resource, "", wanted.name))) continue;
    const Call call = CallOf(resource, "", "", "kube-apiserver");
    CO_CHECK(co_await StoreNewObject(services, call, {},
                                     {{"metadata", {{"name", wanted.name}}},
                                      {"value", wanted.value},
                                      {"description", wanted.description}},
                                     false, {}));
  }
  co_return Ok();
}

}  // namespace millwright::apiserver
