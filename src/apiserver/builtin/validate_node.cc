// Nodes and namespaces.
#include <algorithm>
#include <set>

#include <boost/json.hpp>

#include "apiserver/builtin/validate_kinds.h"
#include "kube/api/quantity.h"
#include "kube/api/schema_format_net.h"

namespace millwright::apiserver::builtin {

namespace json = boost::json;

namespace {

// A real server says these of the metadata, where taints were an annotation once.
void CheckTaints(const At& taints, Faults& faults) {
  std::set<std::pair<std::string_view, std::string_view>> seen;
  for (const At& taint : taints.Items()) {
    const At effect = taint["effect"];
    faults.Invalid(taint["key"], kube::CheckQualifiedName(taint["key"].Text()));
    faults.Invalid(taint["value"], kube::CheckLabelValue(taint["value"].Text()));
    CheckOneOf(effect, {"NoSchedule", "PreferNoSchedule", "NoExecute"}, faults);
    if (seen.emplace(taint["key"].Text(), effect.Text()).second) continue;
    const json::value value(taint["value"].Text());
    faults.Add({.type = kube::FieldErrorType::kDuplicate,
                .field = taint.path(),
                .bad_value = GoStructText({{"Key", taint["key"]},
                                           {"Value", At(value)},
                                           {"Effect", effect},
                                           {"TimeAdded", taint["timeAdded"]}}),
                .detail = "taints must be unique by key and effect pair"});
  }
}

bool IsIpv6Range(const At& cidr) { return cidr.Text().find(':') != std::string_view::npos; }

void CheckPodRanges(const At& spec, Faults& faults) {
  const At ranges = spec["podCIDRs"];
  for (const At& range : ranges.Items()) {
    if (kube::IsCidr(range.Text())) continue;
    faults.Invalid(range, "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)");
  }
  const auto items = ranges.Items();
  const bool two_families = items.size() == 2 && IsIpv6Range(items[0]) != IsIpv6Range(items[1]);
  if (items.size() > 1 && !two_families) {
    faults.Invalid(ranges, "may specify no more than one CIDR for each IP family");
  }
}

void CheckAmounts(const At& amounts, Faults& faults) {
  for (const auto& [name, ignored] : amounts.Members()) {
    const At amount = amounts[name];
    const auto quantity = kube::ParseQuantity(amount.Text());
    if (quantity && quantity->IsNegative()) {
      faults.Invalid(amount, "must be greater than or equal to 0");
    }
  }
}

void CheckNodeChange(const At& spec, const At& old, Faults& faults) {
  if (!old["podCIDRs"].IsEmpty() && !Same(spec["podCIDRs"], old["podCIDRs"])) {
    faults.Forbidden(spec["podCIDRs"],
                     "node updates may not change podCIDR except from \"\" to valid");
  }
  if (!old["providerID"].IsEmpty() && !Same(spec["providerID"], old["providerID"])) {
    faults.Forbidden(spec["providerID"],
                     "node updates may not change providerID except from \"\" to valid");
  }
}

}  // namespace

void ValidateNode(const At& object, const At* old, Faults& faults) {
  CheckTaints(object["spec"]["taints"].Named("metadata.taints"), faults);
  CheckPodRanges(object["spec"], faults);
  CheckAmounts(object["status"]["capacity"], faults);
  CheckAmounts(object["status"]["allocatable"], faults);
  if (old != nullptr) CheckNodeChange(object["spec"], (*old)["spec"], faults);
}

void ValidateNamespace(const At& object, const At* /*old*/, Faults& faults) {
  const At finalizers = object["spec"]["finalizers"];
  for (const At& finalizer : finalizers.Items()) {
    const auto complaints = kube::CheckQualifiedName(finalizer.Text());
    for (const auto& complaint : complaints) {
      faults.Invalid(finalizers, finalizer.value(), complaint);
    }
    const bool own = finalizer.Text() == "kubernetes";
    if (complaints.empty() && !own && finalizer.Text().find('/') == std::string_view::npos) {
      faults.Invalid(finalizers, finalizer.value(),
                     "name is neither a standard finalizer name nor is it fully qualified");
    }
  }
}

}  // namespace millwright::apiserver::builtin
