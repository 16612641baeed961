// Services and their endpoints.
#include <algorithm>
#include <set>
#include <tuple>

#include <boost/json.hpp>

#include "apiserver/builtin/validate_kinds.h"
#include "kube/api/schema_format_net.h"

namespace millwright::apiserver::builtin {

namespace json = boost::json;

namespace {

void CheckTarget(const At& target, Faults& faults) {
  if (target.value().is_string()) {
    faults.Invalid(target, CheckPortName(target.Text()));
  } else {
    CheckPort(target, faults);
  }
}

void CheckPortNameAmong(const At& port, bool several, std::set<std::string_view>& names,
                        Faults& faults) {
  const At name = port["name"];
  if (name.IsEmpty()) {
    if (several) faults.Required(name);
    return;
  }
  faults.Invalid(name, kube::CheckDns1123Label(name.Text()));
  if (!names.insert(name.Text()).second) faults.Duplicate(name);
}

void CheckServicePorts(const At& ports, Faults& faults) {
  std::set<std::string_view> names;
  std::set<std::tuple<std::string_view, std::int64_t>> seen;
  for (const At& port : ports.Items()) {
    CheckPortNameAmong(port, ports.Size() > 1, names, faults);
    CheckPort(port["port"], faults);
    CheckOneOf(port["protocol"], {"SCTP", "TCP", "UDP"}, faults);
    CheckTarget(port["targetPort"], faults);
    const std::int64_t number = port["port"].Number().value_or(0);
    if (seen.emplace(port["protocol"].Text(), number).second) continue;
    const json::value zero = 0;
    const json::value empty = "";
    const json::value none;
    faults.Add({.type = kube::FieldErrorType::kDuplicate,
                .field = port.path(),
                .bad_value = GoStructText({{"Name", At(empty)},
                                           {"Protocol", port["protocol"]},
                                           {"AppProtocol", At(none)},
                                           {"Port", port["port"]},
                                           {"TargetPort", At(zero)},
                                           {"NodePort", At(zero)}})});
  }
}

void CheckClusterIps(const At& spec, Faults& faults) {
  const At all = spec["clusterIPs"];
  const At single = spec["clusterIP"];
  if (all.Size() == 0 && !single.IsEmpty() && single.Text() != "None") {
    CheckIp(single.Named(all.path() + "[0]"), faults);
  }
  for (const At& ip : all.Items()) {
    if (ip.Text() != "None") CheckIp(ip, faults);
  }
}

void CheckServiceChange(const At& spec, const At& old, Faults& faults) {
  if (old["type"].Text() == "ExternalName" || spec["type"].Text() == "ExternalName") return;
  const At ip = spec["clusterIP"];
  if (old["clusterIP"].IsEmpty() || Same(ip, old["clusterIP"])) return;
  const json::value shown = json::array{ip.value()};
  faults.Invalid(spec["clusterIPs"].Named(spec.path() + ".clusterIPs[0]"), shown,
                 "may not change once set");
}

bool IsLoopback(std::string_view ip) { return ip.starts_with("127.") || ip == "::1"; }

bool IsIp(std::string_view text) { return kube::IsIpv4(text) || kube::IsIpv6(text); }

// An endpoint is reached from elsewhere.
void CheckReachable(const At& ip, Faults& faults) {
  if (!IsIp(ip.Text()))
    return faults.Invalid(ip, json::value(ip.Text()), "must be a valid IP address");
  if (ip.Text() == "0.0.0.0" || ip.Text() == "::") {
    faults.Invalid(ip, "may not be unspecified (0.0.0.0 or ::)");
  }
  if (IsLoopback(ip.Text())) {
    faults.Invalid(ip, "may not be in the loopback range (127.0.0.0/8, ::1/128)");
  }
  if (ip.Text().starts_with("169.254.")) {
    faults.Invalid(ip, "may not be in the link-local range (169.254.0.0/16, fe80::/10)");
  }
}

void CheckSubset(const At& subset, Faults& faults) {
  if (subset["addresses"].Size() == 0 && subset["notReadyAddresses"].Size() == 0) {
    faults.Required(subset, "must specify `addresses` or `notReadyAddresses`");
  }
  for (const char* list : {"addresses", "notReadyAddresses"}) {
    for (const At& address : subset[list].Items()) {
      CheckIp(address["ip"], faults);
      CheckReachable(address["ip"], faults);
    }
  }
  const At ports = subset["ports"];
  for (const At& port : ports.Items()) {
    if (port["name"].IsEmpty()) {
      if (ports.Size() > 1) faults.Required(port["name"]);
    } else {
      faults.Invalid(port["name"], kube::CheckDns1123Label(port["name"].Text()));
    }
    CheckPort(port["port"], faults);
    CheckOneOf(port["protocol"], {"SCTP", "TCP", "UDP"}, faults);
  }
}

void CheckSliceAddress(const At& address, std::string_view type, Faults& faults) {
  if (type != "IPv4" && type != "IPv6") return;
  if (!IsIp(address.Text())) return CheckIp(address, faults);
  CheckReachable(address, faults);
}

}  // namespace

void ValidateService(const At& object, const At* old, Faults& faults) {
  const At spec = object["spec"];
  const std::string_view type = spec["type"].Text();
  const bool headless = spec["clusterIP"].Text() == "None";
  if (spec["ports"].Size() == 0 && !headless && type != "ExternalName") {
    faults.Required(spec["ports"]);
  }
  if (type == "ExternalName") {
    const At name = spec["externalName"];
    if (name.IsEmpty()) {
      faults.Required(name);
    } else {
      CheckSubdomain(name, faults);
    }
  }
  CheckServicePorts(spec["ports"], faults);
  CheckLabels(spec["selector"], faults);
  CheckOneOf(spec["sessionAffinity"], {"ClientIP", "None"}, faults);
  CheckClusterIps(spec, faults);
  CheckOneOf(spec["type"], {"ClusterIP", "ExternalName", "LoadBalancer", "NodePort"}, faults);
  for (const At& ip : spec["externalIPs"].Items()) CheckIp(ip, faults);
  if (old != nullptr) CheckServiceChange(spec, (*old)["spec"], faults);
}

void ValidateEndpoints(const At& object, const At* /*old*/, Faults& faults) {
  for (const At& subset : object["subsets"].Items()) CheckSubset(subset, faults);
}

void ValidateEndpointSlice(const At& object, const At* old, Faults& faults) {
  const At type = object["addressType"];
  CheckOneOf(type, {"FQDN", "IPv4", "IPv6"}, faults);
  std::set<std::string_view> names;
  for (const At& port : object["ports"].Items()) {
    const At name = port["name"];
    if (!name.IsEmpty()) faults.Invalid(name, kube::CheckDns1123Label(name.Text()));
    if (!names.insert(name.Text()).second) faults.Duplicate(name);
    CheckOneOf(port["protocol"], {"SCTP", "TCP", "UDP"}, faults);
  }
  for (const At& endpoint : object["endpoints"].Items()) {
    const At addresses = endpoint["addresses"];
    if (addresses.Size() == 0) faults.Required(addresses, "must contain at least 1 address");
    for (const At& address : addresses.Items()) CheckSliceAddress(address, type.Text(), faults);
  }
  if (old != nullptr) CheckUnchanged(type, (*old)["addressType"], faults);
}

}  // namespace millwright::apiserver::builtin
