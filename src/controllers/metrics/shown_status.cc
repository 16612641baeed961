#include "controllers/metrics/shown_status.h"

#include "controllers/metrics/machine_gauges.h"
#include "kube/api/json_text.h"

namespace millwright::controllers {

namespace json = boost::json;

namespace {

const json::array& Items(const json::value& status, std::string_view field) {
  static const json::array kNothing;
  const json::value* found = kube::Find(status, field);
  return found != nullptr && found->is_array() ? found->get_array() : kNothing;
}

}  // namespace

json::value ParseShown(std::string_view text) {
  auto parsed = kube::ParseJson(text);
  return parsed ? *std::move(parsed) : json::value(nullptr);
}

void AddConditions(GaugeFamily& family, const kube::ObjectKey& key, const json::value& status) {
  for (const json::value& condition : Items(status, "conditions")) {
    family.Add({key.name, key.namespace_, kube::GetString(condition, "type")},
               ConditionNumber(kube::GetString(condition, "status")));
  }
}

void AddFailedMachines(GaugeFamily& family, const kube::ObjectKey& key, const json::value& status) {
  for (const json::value& machine : Items(status, "failedMachines")) {
    family.Add({key.name, key.namespace_, kube::GetString(machine, "name"),
                kube::GetString(machine, "providerID"), kube::GetString(machine, "ownerRef"),
                kube::GetString(machine, "lastOperation.state"),
                kube::GetString(machine, "lastOperation.type")},
               1);
  }
}

}  // namespace millwright::controllers
