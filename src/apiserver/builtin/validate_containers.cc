#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "apiserver/builtin/validate_pod.h"
#include "kube/api/quantity.h"

namespace millwright::apiserver::builtin {

namespace json = boost::json;

namespace {

using Names = std::set<std::string_view>;

constexpr std::string_view kEnvironmentName =
    "a valid environment variable name must consist only of printable ASCII characters other than "
    "'='";

bool IsEnvironmentName(std::string_view name) {
  return !name.empty() &&
         std::ranges::all_of(name, [](char c) { return c >= ' ' && c <= '~' && c != '='; });
}

bool HasOuterSpace(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n\v\f";
  return !text.empty() &&
         (kSpace.find(text.front()) != kSpace.npos || kSpace.find(text.back()) != kSpace.npos);
}

void CheckPorts(const At& ports, Faults& faults) {
  Names names;
  for (const At& port : ports.Items()) {
    const At name = port["name"];
    if (!name.IsEmpty()) {
      const auto complaints = CheckPortName(name.Text());
      faults.Invalid(name, complaints);
      if (complaints.empty() && !names.insert(name.Text()).second) faults.Duplicate(name);
    }
    if (port["containerPort"].IsEmpty()) {
      faults.Required(port["containerPort"]);
    } else {
      CheckPort(port["containerPort"], faults);
    }
    if (!port["hostPort"].IsEmpty()) CheckPort(port["hostPort"], faults);
    CheckOneOf(port["protocol"], {"SCTP", "TCP", "UDP"}, faults);
  }
}

void CheckFieldReference(const At& reference, Faults& faults) {
  const At path = reference["fieldPath"];
  if (path.IsEmpty()) return faults.Required(path);
  constexpr std::array<std::string_view, 11> kKnown = {"metadata.name",
                                                       "metadata.namespace",
                                                       "metadata.uid",
                                                       "metadata.labels",
                                                       "metadata.annotations",
                                                       "spec.nodeName",
                                                       "spec.serviceAccountName",
                                                       "status.hostIP",
                                                       "status.hostIPs",
                                                       "status.podIP",
                                                       "status.podIPs"};
  const std::string_view text = path.Text();
  const bool subscripted =
      text.starts_with("metadata.labels['") || text.starts_with("metadata.annotations['");
  if (subscripted || std::ranges::find(kKnown, text) != kKnown.end()) return;
  faults.Invalid(path,
                 fmt::format("error converting fieldPath: field label not supported: {}", text));
}

// A key in an object that is named.
void CheckKeyReference(const At& reference, Faults& faults) {
  CheckSubdomain(reference["name"], faults);
  const At key = reference["key"];
  if (key.IsEmpty()) return faults.Required(key);
  faults.Invalid(key, CheckConfigKey(key.Text()));
}

void CheckSource(const At& variable, Faults& faults) {
  const At source = variable["valueFrom"];
  if (!source.IsSet()) return;
  int found = 0;
  if (source["fieldRef"].IsSet()) {
    ++found;
    CheckFieldReference(source["fieldRef"], faults);
  }
  if (source["resourceFieldRef"].IsSet()) ++found;
  for (const char* name : {"configMapKeyRef", "secretKeyRef"}) {
    if (!source[name].IsSet()) continue;
    ++found;
    CheckKeyReference(source[name], faults);
  }
  if (source["fileKeyRef"].IsSet()) ++found;
  const json::value nothing = "";
  if (found == 0) {
    faults.Invalid(source, nothing,
                   "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, "
                   "`secretKeyRef` or `fileKeyRef`");
  } else if (!variable["value"].IsEmpty()) {
    faults.Invalid(source, nothing, "may not be specified when `value` is not empty");
  } else if (found > 1) {
    faults.Invalid(source, nothing, "may not have more than one field specified at a time");
  }
}

void CheckEnvironment(const At& container, Faults& faults) {
  for (const At& variable : container["env"].Items()) {
    const At name = variable["name"];
    if (name.IsEmpty()) {
      faults.Required(name);
    } else if (!IsEnvironmentName(name.Text())) {
      faults.Invalid(name, std::string(kEnvironmentName));
    }
    CheckSource(variable, faults);
  }
  const At sources = container["envFrom"];
  for (const At& source : sources.Items()) {
    if (!source["prefix"].IsEmpty() && !IsEnvironmentName(source["prefix"].Text())) {
      faults.Invalid(source["prefix"], std::string(kEnvironmentName));
    }
    int found = 0;
    for (const char* kind : {"configMapRef", "secretRef"}) {
      if (!source[kind].IsSet()) continue;
      ++found;
      if (source[kind]["name"].IsEmpty()) faults.Required(source[kind]["name"]);
    }
    const json::value nothing = "";
    if (found == 0) {
      faults.Invalid(sources, nothing, "must specify one of: `configMapRef` or `secretRef`");
    } else if (found > 1) {
      faults.Invalid(sources, nothing, "may not have more than one field specified at a time");
    }
  }
}

void CheckMounts(const At& mounts, const Names& volumes, Faults& faults) {
  Names paths;
  for (const At& mount : mounts.Items()) {
    if (mount["name"].IsEmpty()) faults.Required(mount["name"]);
    if (!volumes.contains(mount["name"].Text())) faults.NotFound(mount["name"]);
    const At path = mount["mountPath"];
    if (path.IsEmpty()) faults.Required(path);
    if (!paths.insert(path.Text()).second) faults.Invalid(path, "must be unique");
  }
}

bool IsStandardResource(std::string_view name) {
  return name == "cpu" || name == "memory" || name == "ephemeral-storage" ||
         name.starts_with("hugepages-");
}

void CheckResourceName(std::string_view name, const At& at, Faults& faults) {
  const json::value shown(name);
  const auto complaints = kube::CheckQualifiedName(name);
  for (const auto& complaint : complaints) faults.Invalid(at, shown, complaint);
  if (!complaints.empty() || name.find('/') != name.npos || IsStandardResource(name)) return;
  faults.Invalid(at, shown, "must be a standard resource type or fully qualified");
  faults.Invalid(at, shown, "must be a standard resource for containers");
}

void CheckAmounts(const At& amounts, Faults& faults) {
  for (const auto& [name, amount] : amounts.Members()) {
    CheckResourceName(name, amount, faults);
    const auto quantity = kube::ParseQuantity(amount.Text());
    if (quantity && quantity->IsNegative()) {
      faults.Invalid(amount, "must be greater than or equal to 0");
    }
  }
}

std::string SecurityContextText(const At& context) {
  return GoStructText({{"Capabilities", context["capabilities"]},
                       {"Privileged", context["privileged"]},
                       {"SELinuxOptions", context["seLinuxOptions"]},
                       {"WindowsOptions", context["windowsOptions"]},
                       {"RunAsUser", context["runAsUser"]},
                       {"RunAsGroup", context["runAsGroup"]},
                       {"RunAsNonRoot", context["runAsNonRoot"]},
                       {"ReadOnlyRootFilesystem", context["readOnlyRootFilesystem"]},
                       {"AllowPrivilegeEscalation", context["allowPrivilegeEscalation"]},
                       {"ProcMount", context["procMount"]},
                       {"SeccompProfile", context["seccompProfile"]},
                       {"AppArmorProfile", context["appArmorProfile"]}});
}

void CheckSecurity(const At& context, Faults& faults) {
  for (const char* id : {"runAsUser", "runAsGroup"}) {
    if (context[id].IsSet()) {
      CheckBetween(context[id], 0, std::numeric_limits<std::int32_t>::max(), faults);
    }
  }
  const At escalation = context["allowPrivilegeEscalation"];
  if (!escalation.IsSet() || escalation.IsTrue()) return;
  if (!context["privileged"].IsTrue()) return;
  faults.InvalidStruct(context, SecurityContextText(context),
                       "cannot set `allowPrivilegeEscalation` to false and `privileged` to true");
}

// What all kinds of containers have in common.
void CheckContainer(const At& container, const Names& volumes, Names& names, Faults& faults) {
  const At name = container["name"];
  if (name.IsEmpty()) {
    faults.Required(name);
  } else {
    faults.Invalid(name, kube::CheckDns1123Label(name.Text()));
    if (!names.insert(name.Text()).second) faults.Duplicate(name);
  }
  const At image = container["image"];
  if (image.IsEmpty()) {
    faults.Required(image);
  } else if (HasOuterSpace(image.Text())) {
    faults.Invalid(image, "must not have leading or trailing whitespace");
  }
  CheckOneOf(container["terminationMessagePolicy"], {"File", "FallbackToLogsOnError"}, faults);
  CheckPorts(container["ports"], faults);
  CheckEnvironment(container, faults);
  CheckMounts(container["volumeMounts"], volumes, faults);
  CheckOneOf(container["imagePullPolicy"], {"Always", "IfNotPresent", "Never"}, faults);
  CheckResources(container["resources"], faults);
  CheckSecurity(container["securityContext"], faults);
}

void CheckRunning(const At& container, Faults& faults) {
  CheckProbe(container["livenessProbe"], true, faults);
  CheckProbe(container["readinessProbe"], false, faults);
  CheckProbe(container["startupProbe"], true, faults);
  for (const char* hook : {"postStart", "preStop"}) {
    const At handler = container["lifecycle"][hook];
    if (handler.IsSet()) CheckHandler(handler, faults);
  }
}

Names VolumeNames(const At& spec) {
  Names names;
  for (const At& volume : spec["volumes"].Items()) {
    if (!volume["name"].IsEmpty()) names.insert(volume["name"].Text());
  }
  return names;
}

}  // namespace

void CheckContainers(const At& spec, Faults& faults) {
  const Names volumes = VolumeNames(spec);
  Names names;
  if (spec["containers"].Size() == 0) faults.Required(spec["containers"]);
  for (const At& container : spec["containers"].Items()) {
    CheckContainer(container, volumes, names, faults);
    CheckRunning(container, faults);
  }
  for (const At& container : spec["initContainers"].Items()) {
    CheckContainer(container, volumes, names, faults);
    // One that always restarts runs beside the others.
    if (container["restartPolicy"].Text() == "Always") CheckRunning(container, faults);
  }
}

void CheckResources(const At& resources, Faults& faults) {
  const At limits = resources["limits"];
  const At requests = resources["requests"];
  CheckAmounts(limits, faults);
  CheckAmounts(requests, faults);
  for (const auto& [name, request] : requests.Members()) {
    const At limit = limits.Key(name);
    if (!limit.IsSet()) continue;
    const auto wanted = kube::ParseQuantity(request.Text());
    const auto most = kube::ParseQuantity(limit.Text());
    if (!wanted || !most || *wanted <= *most) continue;
    faults.Invalid(requests, request.value(),
                   fmt::format("must be less than or equal to {} limit of {}", name, limit.Text()));
  }
}

void CheckUserAndGroup(const At& security_context, Faults& faults) {
  for (const char* id : {"runAsUser", "runAsGroup", "fsGroup"}) {
    const At at = security_context[id];
    if (at.IsSet()) CheckBetween(at, 0, std::numeric_limits<std::int32_t>::max(), faults);
  }
}

}  // namespace millwright::apiserver::builtin
