#include "apiserver/builtin/pod_admission.h"

#include <boost/json.hpp>

#include "apiserver/builtin/json_edit.h"
#include "kube/api/quantity.h"

namespace millwright::apiserver::builtin {

namespace json = boost::json;

namespace {

bool Tolerates(const json::object& toleration, std::string_view key) {
  const std::string_view effect = TextOf(toleration, "effect");
  if (!effect.empty() && effect != "NoExecute") return false;
  const std::string_view its_key = TextOf(toleration, "key");
  return its_key == key || (its_key.empty() && TextOf(toleration, "operator") == "Exists");
}

void TolerateForAWhile(json::object& spec, std::string_view key) {
  for (const json::object& toleration : ObjectsOf(std::as_const(spec), "tolerations")) {
    if (Tolerates(toleration, key)) return;
  }
  MakeList(spec, "tolerations")
      .push_back(json::object{{"key", key},
                              {"operator", "Exists"},
                              {"effect", "NoExecute"},
                              {"tolerationSeconds", 300}});
}

void AddTolerations(json::object& spec) {
  TolerateForAWhile(spec, "node.kubernetes.io/not-ready");
  TolerateForAWhile(spec, "node.kubernetes.io/unreachable");
}

// Other classes are objects, which somebody else has to look up.
void SetPriority(json::object& spec) {
  const std::string_view name = TextOf(spec, "priorityClassName");
  if (name == "system-node-critical") {
    SetMissing(spec, "priority", 2000001000);
  } else if (name == "system-cluster-critical") {
    SetMissing(spec, "priority", 2000000000);
  } else if (name.empty()) {
    SetMissing(spec, "priority", 0);
  } else {
    return;
  }
  SetMissing(spec, "preemptionPolicy", "PreemptLowerPriority");
}

// Negative is a mistake of old clients that has always been put right.
void CorrectGracePeriod(json::object& spec) {
  json::value* seconds = spec.if_contains("terminationGracePeriodSeconds");
  if (seconds != nullptr && seconds->is_int64() && seconds->get_int64() < 0) *seconds = 1;
}

bool IsPositive(const json::value* amount) {
  if (amount == nullptr || !amount->is_string()) return false;
  const auto quantity = kube::ParseQuantity(amount->get_string());
  return quantity && !quantity->IsZero() && !quantity->IsNegative();
}

struct Counts {
  bool any = false;        // some request or limit
  bool guaranteed = true;  // of every container so far
};

void Count(const json::object& container, Counts& counts) {
  const json::object* resources = ObjectOf(container, "resources");
  const json::object* limits = resources == nullptr ? nullptr : ObjectOf(*resources, "limits");
  const json::object* requests = resources == nullptr ? nullptr : ObjectOf(*resources, "requests");
  for (const char* name : {"cpu", "memory"}) {
    const json::value* limit = limits == nullptr ? nullptr : limits->if_contains(name);
    const json::value* request = requests == nullptr ? nullptr : requests->if_contains(name);
    if (IsPositive(limit) || IsPositive(request)) counts.any = true;
    if (!IsPositive(limit) || request == nullptr || *request != *limit) counts.guaranteed = false;
  }
}

}  // namespace

void AdmitNewPod(json::object& pod) {
  json::object& spec = MakeObject(pod, "spec");
  SetPriority(spec);
  AddTolerations(spec);
  CorrectGracePeriod(spec);
}

void AdmitChangedPod(const json::object& old, json::object& pod) {
  json::object& spec = MakeObject(pod, "spec");
  AddTolerations(spec);
  const json::object* before = ObjectOf(old, "spec");
  const json::value* priority = before == nullptr ? nullptr : before->if_contains("priority");
  if (priority != nullptr) SetMissing(spec, "priority", *priority);
}

std::string_view QosClass(const json::object& pod_spec) {
  Counts counts;
  for (const char* list : {"containers", "initContainers"}) {
    for (const json::object& container : ObjectsOf(pod_spec, list)) Count(container, counts);
  }
  if (!counts.any) return "BestEffort";
  return counts.guaranteed ? "Guaranteed" : "Burstable";
}

}  // namespace millwright::apiserver::builtin
