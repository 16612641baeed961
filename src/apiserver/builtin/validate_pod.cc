#include "apiserver/builtin/validate_pod.h"

#include <limits>

#include <boost/json.hpp>

#include "apiserver/builtin/validate_kinds.h"
#include "kube/api/quantity.h"

namespace millwright::apiserver::builtin {

namespace json = boost::json;

namespace {

void CheckNames(const At& spec, Faults& faults) {
  const auto check = [&](std::string_view field, auto rule) {
    const At at = spec[field];
    if (!at.IsEmpty()) faults.Invalid(at, rule(at.Text()));
  };
  check("serviceAccountName", kube::CheckDns1123Subdomain);
  check("nodeName", kube::CheckDns1123Subdomain);
  check("hostname", kube::CheckDns1123Label);
  check("subdomain", kube::CheckDns1123Label);
  check("priorityClassName", kube::CheckDns1123Subdomain);
  check("runtimeClassName", kube::CheckDns1123Subdomain);
}

void CheckDns(const At& spec, Faults& faults) {
  CheckOneOf(spec["dnsPolicy"], {"ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"},
             faults);
  const At config = spec["dnsConfig"];
  const At servers = config["nameservers"];
  for (const At& server : servers.Items()) CheckIp(server, faults);
  if (spec["dnsPolicy"].Text() != "None") return;
  if (!config.IsSet()) {
    faults.Required(config, "must provide `dnsConfig` when `dnsPolicy` is None");
  } else if (servers.Size() == 0) {
    faults.Required(servers, "must provide at least one DNS nameserver when `dnsPolicy` is None");
  }
}

// These stood in the security context once, and are still spoken of there.
void CheckProcessNamespaces(const At& spec, Faults& faults) {
  if (!spec["shareProcessNamespace"].IsTrue() || !spec["hostPID"].IsTrue()) return;
  faults.Invalid(
      spec["shareProcessNamespace"].Named(spec.path() + ".securityContext.shareProcessNamespace"),
      "ShareProcessNamespace and HostPID cannot both be enabled");
}

void CheckHostAliases(const At& aliases, Faults& faults) {
  for (const At& alias : aliases.Items()) {
    CheckIp(alias["ip"], faults);
    for (const At& name : alias["hostnames"].Items()) CheckSubdomain(name, faults);
  }
}

void CheckOverhead(const At& overhead, Faults& faults) {
  for (const auto& [name, amount] : overhead.Named(overhead.path() + ".limits").Members()) {
    const auto quantity = kube::ParseQuantity(amount.Text());
    if (quantity && quantity->IsNegative()) {
      faults.Invalid(amount, "must be greater than or equal to 0");
    }
  }
}

void CheckGates(const At& spec, Faults& faults) {
  for (const At& gate : spec["readinessGates"].Items()) {
    const At type = gate["conditionType"];
    faults.Invalid(type, kube::CheckQualifiedName(type.Text()));
  }
  for (const At& gate : spec["schedulingGates"].Items()) {
    const At name = gate["name"].Named(gate.path());
    faults.Invalid(name, kube::CheckQualifiedName(name.Text()));
  }
}

void CheckTokens(const At& spec, Faults& faults) {
  if (!spec["serviceAccountName"].IsEmpty()) return;
  for (const At& volume : spec["volumes"].Items()) {
    for (const At& source : volume["projected"]["sources"].Items()) {
      if (source["serviceAccountToken"].IsSet()) {
        faults.Forbidden(source["serviceAccountToken"],
                         "must not be specified when serviceAccountName is not set");
      }
    }
  }
}

// --- Changes of a pod ---

// The same pod with what may change as it was.
json::value WithOldChangeables(const At& spec, const At& old) {
  json::value result = spec.value();
  if (!result.is_object()) return result;
  json::object& object = result.get_object();
  for (const char* list : {"containers", "initContainers"}) {
    json::value* containers = object.if_contains(list);
    const auto before = old[list].Items();
    if (containers == nullptr || !containers->is_array()) continue;
    for (std::size_t i = 0; i < containers->get_array().size() && i < before.size(); ++i) {
      json::value& container = containers->get_array()[i];
      if (container.is_object()) container.get_object()["image"] = before[i]["image"].value();
    }
  }
  for (const char* field : {"activeDeadlineSeconds", "schedulingGates", "tolerations"}) {
    if (old[field].IsSet()) {
      object[field] = old[field].value();
    } else {
      object.erase(field);
    }
  }
  return result;
}

void CheckContainerCount(const At& containers, const At& old, Faults& faults) {
  if (containers.Size() != old.Size()) {
    faults.Forbidden(containers, "pod updates may not add or remove containers");
  }
}

void CheckDeadlineChange(const At& deadline, const At& old, Faults& faults) {
  if (!old.IsSet()) return;
  if (!deadline.IsSet()) {
    faults.Invalid(deadline, "must not update from a positive integer to nil value");
  } else if (deadline.Number() > old.Number()) {
    faults.Invalid(deadline, "must be less than or equal to previous value");
  }
}

void CheckOnlyAddedTolerations(const At& tolerations, const At& old, Faults& faults) {
  // How long something is tolerated may change.
  const auto same = [](const At& a, const At& b) {
    json::value x = a.value();
    json::value y = b.value();
    x.as_object().erase("tolerationSeconds");
    y.as_object().erase("tolerationSeconds");
    return x == y;
  };
  for (const At& before : old.Items()) {
    const auto items = tolerations.Items();
    const bool kept =
        std::ranges::any_of(items, [&](const At& item) { return same(item, before); });
    if (kept) continue;
    faults.Forbidden(tolerations,
                     "existing toleration can not be modified except its tolerationSeconds");
    return;
  }
}

void CheckPodChange(const At& spec, const At& old, Faults& faults) {
  for (const char* list : {"containers", "initContainers"}) {
    if (spec[list].Size() == old[list].Size()) continue;
    return CheckContainerCount(spec[list], old[list], faults);
  }
  CheckDeadlineChange(spec["activeDeadlineSeconds"], old["activeDeadlineSeconds"], faults);
  CheckOnlyAddedTolerations(spec["tolerations"], old["tolerations"], faults);
  for (const At& gate : spec["schedulingGates"].Items()) {
    const auto before = old["schedulingGates"].Items();
    const bool known = std::ranges::any_of(before, [&](const At& one) { return Same(one, gate); });
    if (!known) {
      faults.Forbidden(gate, "only deletion is allowed, but found new scheduling gate '" +
                                 std::string(gate["name"].Text()) + "'");
    }
  }
  const json::value munged = WithOldChangeables(spec, old);
  if (Same(At(munged), old)) return;
  faults.Forbidden(spec,
                   "pod updates may not change fields other than `spec.containers[*].image`,"
                   "`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` "
                   "(only additions to existing tolerations),"
                   "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was "
                   "previously negative)");
}

void CheckAddresses(const At& status, Faults& faults) {
  for (const At& address : status["podIPs"].Items()) {
    CheckIp(address["ip"].Named(address.path()), faults);
  }
}

}  // namespace

void CheckPodSpec(const At& spec, Faults& faults) {
  CheckVolumes(spec["volumes"], faults);
  CheckContainers(spec, faults);
  CheckOneOf(spec["restartPolicy"], {"Always", "OnFailure", "Never"}, faults);
  CheckDns(spec, faults);
  CheckTokens(spec, faults);
  CheckUserAndGroup(spec["securityContext"], faults);
  CheckProcessNamespaces(spec, faults);
  CheckGates(spec, faults);
  CheckScheduling(spec, faults);
  CheckNames(spec, faults);
  if (spec["activeDeadlineSeconds"].IsSet()) {
    CheckBetween(spec["activeDeadlineSeconds"], 1, std::numeric_limits<std::int32_t>::max(),
                 faults);
  }
  CheckNotNegative(spec["terminationGracePeriodSeconds"], faults);
  CheckHostAliases(spec["hostAliases"], faults);
  if (spec["os"].IsSet()) {
    const At os = spec["os"]["name"].Named(spec["os"].path());
    if (os.IsEmpty()) {
      faults.Required(spec["os"]["name"], "cannot be empty");
    } else {
      CheckOneOf(os, {"linux", "windows"}, faults);
    }
  }
  CheckOverhead(spec["overhead"], faults);
}

void CheckPodTemplate(const At& pod_template, Faults& faults) {
  CheckLabels(pod_template["metadata"]["labels"].Named(pod_template.path() + ".labels"), faults);
  CheckPodSpec(pod_template["spec"], faults);
}

void ValidatePod(const At& object, const At* old, Faults& faults) {
  CheckPodSpec(object["spec"], faults);
  CheckAddresses(object["status"], faults);
  if (old != nullptr) CheckPodChange(object["spec"], (*old)["spec"], faults);
}

}  // namespace millwright::apiserver::builtin
