#include "dialects/capi/admit_checks.h"

#include <fmt/format.h>
#include <boost/json/array.hpp>

#include <algorithm>

#include "core/model/amount.h"
#include "dialects/capi/json_path.h"
#include "dialects/capi/names.h"
#include "dialects/capi/naming.h"
#include "kube/api/json_text.h"
#include "kube/api/names.h"

namespace millwright::dialects::capi {

namespace json = boost::json;
using kube::ForbiddenError;
using kube::InvalidError;
using kube::RequiredError;

namespace {

constexpr std::string_view kPreflightChecks[] = {"All", "ControlPlaneIsStable",
                                                 "ControlPlaneVersionSkew", "KubeadmVersionSkew",
                                                 "KubernetesVersionSkew"};

// A number without zeros before it, taken off the text.
bool TakeNumber(std::string_view& text) {
  const size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  if (digits == 0 || (digits > 1 && text.front() == '0')) return false;
  text.remove_prefix(digits);
  return true;
}

bool TakeDot(std::string_view& text) {
  if (!text.starts_with('.')) return false;
  text.remove_prefix(1);
  return true;
}

bool IsWritten(const json::value* value) { return value != nullptr && !value->is_null(); }

void AddComplaints(const kube::Complaints& complaints, const std::string& field,
                   const json::value& value, FieldErrorList& errors) {
  for (const std::string& complaint : complaints) {
    errors.push_back(InvalidError(field, value, complaint));
  }
}

// Keys that Kubernetes or its providers put on nodes, and that a machine must not.
std::string ReservedTaint(std::string_view key, bool worker) {
  if (key == taints::kUninitialized || key == taints::kOutdated) {
    return "is put on nodes by Cluster API itself";
  }
  if (key.starts_with("node.kubernetes.io/") && key != "node.kubernetes.io/out-of-service") {
    return "keys of node.kubernetes.io/ are reserved, but for out-of-service";
  }
  if (key.starts_with("node.cloudprovider.kubernetes.io/")) {
    return "keys of node.cloudprovider.kubernetes.io/ are reserved";
  }
  if (key == "node-role.kubernetes.io/master") {
    return "is deprecated: use node-role.kubernetes.io/control-plane";
  }
  if (worker && key == "node-role.kubernetes.io/control-plane") {
    return "is for control plane machines only";
  }
  return {};
}

std::string_view Trimmed(std::string_view text) {
  const size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
  text.remove_prefix(begin);
  return text.substr(0, text.find_last_not_of(" \t") + 1);
}

}  // namespace

bool IsKubernetesVersion(std::string_view version) {
  if (!version.starts_with('v')) return false;
  version.remove_prefix(1);
  const bool numbers = TakeNumber(version) && TakeDot(version) && TakeNumber(version) &&
                       TakeDot(version) && TakeNumber(version);
  if (!numbers) return false;
  if (version.empty()) return true;
  const bool begins = version.starts_with('-') || version.starts_with('+');
  return begins && version.size() > 1 && std::ranges::all_of(version, [](char c) {
           return std::string_view("-_.+").contains(c) || (c >= '0' && c <= '9') ||
                  (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
         });
}

kube::Labels TextsAt(const json::object& object, std::string_view path) {
  kube::Labels texts;
  const json::value* found = FindPath(object, path);
  if (found == nullptr || !found->is_object()) return texts;
  for (const auto& [key, value] : found->get_object()) {
    if (value.is_string()) texts[std::string(key)] = value.get_string();
  }
  return texts;
}

void CheckVersion(const json::object& object, std::string_view path, FieldErrorList& errors) {
  const std::string_view version = TextAtPath(object, path);
  if (version.empty() || IsKubernetesVersion(version)) return;
  errors.push_back(InvalidError(std::string(path), json::value(version),
                                "must be a semantic version like v1.35.0"));
}

void CheckClusterName(const json::object& object, const json::object* old, FieldErrorList& errors) {
  if (old == nullptr) return;
  if (TextAtPath(object, "spec.clusterName") == TextAtPath(*old, "spec.clusterName")) return;
  errors.push_back(ForbiddenError("spec.clusterName", "field is immutable"));
}

void CheckTemplateCluster(const json::object& object, FieldErrorList& errors) {
  const std::string_view cluster = TextAtPath(object, "spec.clusterName");
  const std::string_view of_template = TextAtPath(object, "spec.template.spec.clusterName");
  if (cluster == of_template) return;
  errors.push_back(InvalidError("spec.template.spec.clusterName", json::value(of_template),
                                "must be the same as spec.clusterName"));
}

void CheckBootstrap(const json::object& object, std::string_view spec, FieldErrorList& errors) {
  const std::string bootstrap = std::string(spec) + ".bootstrap";
  const json::value* reference = FindPath(object, bootstrap + ".configRef");
  const bool has_reference =
      IsWritten(reference) && reference->is_object() && !reference->get_object().empty();
  if (has_reference || IsWritten(FindPath(object, bootstrap + ".dataSecretName"))) return;
  errors.push_back(RequiredError(bootstrap, "expected either configRef or dataSecretName"));
}

void CheckTaints(const json::object& object, std::string_view spec, const TaintRules& rules,
                 FieldErrorList& errors) {
  const std::string path = std::string(spec) + ".taints";
  const json::value* list = FindPath(object, path);
  if (list == nullptr || !list->is_array() || list->get_array().empty()) return;
  if (!rules.allowed) {
    errors.push_back(
        ForbiddenError(path, "can be set only if the feature gate MachineTaintPropagation is on"));
    return;
  }
  for (size_t index = 0; index < list->get_array().size(); ++index) {
    const json::value& taint = list->get_array()[index];
    const std::string at = fmt::format("{}[{}]", path, index);
    const std::string_view key = kube::GetString(taint, "key");
    const std::string_view value = kube::GetString(taint, "value");
    const std::string reserved = ReservedTaint(key, rules.worker);
    if (!reserved.empty()) errors.push_back(InvalidError(at + ".key", json::value(key), reserved));
    AddComplaints(kube::CheckQualifiedName(key), at + ".key", json::value(key), errors);
    AddComplaints(kube::CheckLabelValue(value), at + ".value", json::value(value), errors);
  }
}

void CheckAmount(const json::object& object, std::string_view path, FieldErrorList& errors) {
  const json::value* value = FindPath(object, path);
  if (!IsWritten(value) || (value->is_int64() && value->get_int64() >= 0)) return;
  if (value->is_string() && core::Amount::ParsePercent(value->get_string())) return;
  errors.push_back(
      InvalidError(std::string(path), *value, "must be a whole number or a percentage like 25%"));
}

void CheckNaming(const json::object& object, FieldErrorList& errors) {
  constexpr std::string_view kPath = "spec.machineNaming.template";
  const std::string_view naming = TextAtPath(object, kPath);
  if (naming.empty()) return;
  const auto name =
      MachineName(naming, {.cluster = "cluster", .set = "machineset", .random = "bcdfg"});
  if (!name) {
    errors.push_back(InvalidError(std::string(kPath), json::value(naming), name.error().message()));
    return;
  }
  AddComplaints(kube::CheckDns1123Subdomain(*name), std::string(kPath), json::value(naming),
                errors);
}

void CheckTemplateMetadata(const json::object& object, FieldErrorList& errors) {
  constexpr std::string_view kLabels = "spec.template.metadata.labels";
  for (const auto& [key, value] : TextsAt(object, kLabels)) {
    AddComplaints(kube::CheckQualifiedName(key), std::string(kLabels), json::value(key), errors);
    AddComplaints(kube::CheckLabelValue(value), std::string(kLabels), json::value(value), errors);
  }
  constexpr std::string_view kAnnotations = "spec.template.metadata.annotations";
  const kube::Labels annotations = TextsAt(object, kAnnotations);
  for (const auto& [key, value] : annotations) {
    AddComplaints(kube::CheckAnnotationKey(key), std::string(kAnnotations), json::value(key),
                  errors);
  }
  AddComplaints(kube::CheckAnnotationsSize(annotations), std::string(kAnnotations), json::value(""),
                errors);
}

void CheckSkippedPreflight(const json::object& object, FieldErrorList& errors) {
  const kube::Labels annotations = TextsAt(object, "metadata.annotations");
  const auto found = annotations.find(annotations::kSkipPreflight);
  if (found == annotations.end()) return;
  std::string_view list = found->second;
  while (!list.empty()) {
    const size_t end = std::min(list.find(','), list.size());
    const std::string_view name = Trimmed(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
    if (std::ranges::find(kPreflightChecks, name) != std::end(kPreflightChecks)) continue;
    errors.push_back(InvalidError(
        kube::PathKey("metadata.annotations", annotations::kSkipPreflight), json::value(name),
        "must be of All, ControlPlaneIsStable, ControlPlaneVersionSkew, KubeadmVersionSkew and "
        "KubernetesVersionSkew"));
  }
}

kube::LabelSelector CheckSelector(const json::object& object, std::string_view path,
                                  FieldErrorList& errors) {
  const json::value* written = FindPath(object, path);
  if (!IsWritten(written)) return kube::LabelSelector::Everything();
  auto selector = kube::DecodeLabelSelector(*written);
  if (selector) return *std::move(selector);
  errors.push_back(InvalidError(std::string(path), *written, selector.error().message()));
  return kube::LabelSelector::Nothing();
}

void CheckSelectsTemplate(const json::object& object, FieldErrorList& errors) {
  const size_t before = errors.size();
  const kube::LabelSelector selector = CheckSelector(object, "spec.selector", errors);
  if (errors.size() != before) return;
  constexpr std::string_view kPath = "spec.template.metadata.labels";
  if (selector.Matches(TextsAt(object, kPath))) return;
  const json::value* labels = FindPath(object, kPath);
  errors.push_back(
      InvalidError(std::string(kPath), labels != nullptr ? *labels : json::value(json::object()),
                   fmt::format("must match spec.selector \"{}\"", selector.ToString())));
}

}  // namespace millwright::dialects::capi
