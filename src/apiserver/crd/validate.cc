#include "apiserver/crd/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include <boost/json.hpp>

#include "apiserver/crd/conditions.h"
#include "apiserver/crd/definition.h"
#include "apiserver/crd/validate_parts.h"
#include "kube/api/json_text.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

constexpr const char* kApproval = "api-approved.kubernetes.io";

const json::value& At(const json::value& root, std::string_view path) {
  static const json::value kNull;
  const json::value* found = kube::Find(root, path);
  return found == nullptr ? kNull : *found;
}

void CheckGroup(std::string_view group, FieldErrors& errors) {
  if (group.empty()) {
    errors.push_back(kube::RequiredError("spec.group", ""));
    return;
  }
  const kube::Complaints complaints = kube::CheckDns1123Subdomain(group);
  if (!complaints.empty()) {
    errors.push_back(kube::InvalidError("spec.group", json::value(group),
                                        fmt::format("{}", fmt::join(complaints, ","))));
  } else if (!group.contains('.')) {
    errors.push_back(kube::InvalidError("spec.group", json::value(group),
                                        "should be a domain with at least one dot"));
  }
}

void CheckScope(std::string_view scope, FieldErrors& errors) {
  if (scope.empty()) {
    errors.push_back(kube::RequiredError("spec.scope", ""));
  } else if (scope != "Cluster" && scope != "Namespaced") {
    errors.push_back(
        kube::NotSupportedError("spec.scope", json::value(scope), {"Cluster", "Namespaced"}));
  }
}

void CheckSpecNames(const json::value& names, FieldErrors& errors) {
  for (const char* name : {"plural", "singular", "kind", "listKind"}) {
    if (kube::GetString(names, name).empty()) {
      errors.push_back(kube::RequiredError(kube::PathChild("spec.names", name), ""));
    }
  }
  CheckNames(names, "spec.names", errors);
}

void CheckSpec(const json::value& crd, bool established, FieldErrors& errors) {
  CheckGroup(kube::GetString(crd, "spec.group"), errors);
  CheckScope(kube::GetString(crd, "spec.scope"), errors);
  CheckVersions(crd, errors);
  CheckSpecNames(At(crd, "spec.names"), errors);
  CheckSharedParts(crd, errors);
  CheckConversion(crd, established, errors);
}

void CheckStoredVersions(const json::value& crd, FieldErrors& errors) {
  const std::string path = "status.storedVersions";
  const std::vector<std::string> stored = TextsAt(crd, path);
  const json::value shown = json::array(stored.begin(), stored.end());
  if (stored.empty()) {
    errors.push_back(kube::InvalidError(path, {}, "must have at least one stored version"));
    return;
  }
  std::set<std::string, std::less<>> known;
  for (const json::value& version : VersionsOf(crd)) {
    const std::string name(kube::GetString(version, "name"));
    known.insert(name);
    const bool noted = std::ranges::find(stored, name) != stored.end();
    if (kube::GetBool(version, "storage") && !noted) {
      errors.push_back(kube::InvalidError(path, shown, "must have the storage version " + name));
    }
  }
  for (std::size_t i = 0; i < stored.size(); ++i) {
    if (known.contains(stored[i])) continue;
    errors.push_back(kube::InvalidError(
        kube::PathIndex(path, i), json::value(stored[i]),
        fmt::format("missing from spec.versions; {0} was previously a storage version, and must "
                    "remain in spec.versions until a storage migration ensures no data remains "
                    "persisted in {0} and removes {0} from status.storedVersions",
                    stored[i])));
  }
}

bool IsProtectedGroup(std::string_view group) {
  return group == "k8s.io" || group.ends_with(".k8s.io") || group == "kubernetes.io" ||
         group.ends_with(".kubernetes.io");
}

std::string_view ApprovalOf(const json::value& crd) {
  const json::object* annotations = kube::GetObject(crd, "metadata.annotations");
  const json::value* approval =
      annotations == nullptr ? nullptr : annotations->if_contains(kApproval);
  return approval != nullptr && approval->is_string() ? std::string_view(approval->get_string())
                                                      : std::string_view();
}

void CheckApproval(const json::value& crd, const json::value* old, FieldErrors& errors) {
  if (!IsProtectedGroup(kube::GetString(crd, "spec.group"))) return;
  const CrdCondition now = ApprovalCondition(crd);
  if (old != nullptr && ApprovalCondition(*old).reason == now.reason) return;
  const std::string path = kube::PathKey("metadata.annotations", kApproval);
  if (now.reason == "MissingAnnotation") errors.push_back(kube::RequiredError(path, now.message));
  if (now.reason == "InvalidAnnotation") {
    errors.push_back(kube::InvalidError(path, json::value(ApprovalOf(crd)), now.message));
  }
}

void CheckPreserve(const json::value& crd, const json::value* old, FieldErrors& errors) {
  if (old != nullptr && kube::GetBool(*old, "spec.preserveUnknownFields")) return;
  if (!kube::GetBool(crd, "spec.preserveUnknownFields")) return;
  errors.push_back(
      kube::InvalidError("spec.preserveUnknownFields", true,
                         "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in "
                         "spec.versions[*].schema instead"));
}

void CheckImmutable(const json::value& crd, const json::value& old, bool established,
                    FieldErrors& errors) {
  const auto check = [&](const char* path) {
    const json::value& now = At(crd, path);
    if (now == At(old, path)) return;
    errors.push_back(kube::InvalidError(path, now, "field is immutable"));
  };
  if (established) {
    check("spec.scope");
    check("spec.names.kind");
  }
  check("spec.group");
  check("spec.names.plural");
}

void CheckOwnName(const json::value& crd, FieldErrors& errors) {
  const std::string_view name = kube::GetString(crd, "metadata.name");
  const std::string wanted = fmt::format("{}.{}", kube::GetString(crd, "spec.names.plural"),
                                         kube::GetString(crd, "spec.group"));
  if (name.empty() || name == wanted) return;
  errors.push_back(kube::InvalidError("metadata.name", json::value(name),
                                      "must be spec.names.plural+\".\"+spec.group"));
}

}  // namespace

CrdCondition ApprovalCondition(const json::value& crd) {
  if (!IsProtectedGroup(kube::GetString(crd, "spec.group"))) return {};
  const std::string_view said = ApprovalOf(crd);
  const std::string see = ", see https://github.com/kubernetes/enhancements/pull/1111";
  const std::string must =
      fmt::format("protected groups must have approval annotation \"{}\"", kApproval);
  const auto condition = [](const char* status, const char* reason, std::string message) {
    return CrdCondition{.type = "KubernetesAPIApprovalPolicyConformant",
                        .status = status,
                        .reason = reason,
                        .message = std::move(message)};
  };
  if (said.empty()) return condition("False", "MissingAnnotation", must + see);
  if (said.starts_with("unapproved")) {
    return condition("False", "UnapprovedAnnotation", fmt::format("not approved: \"{}\"", said));
  }
  const auto scheme = said.find("://");
  const bool is_url = scheme != std::string_view::npos && scheme > 0 && scheme + 3 < said.size() &&
                      said[scheme + 3] != '/';
  if (is_url) return condition("True", "ApprovedAnnotation", fmt::format("approved in {}", said));
  return condition("False", "InvalidAnnotation",
                   must + " with either a URL or a reason starting with \"unapproved\"" + see);
}

FieldErrors ValidateCrd(const json::value& crd, const json::value* old) {
  FieldErrors errors;
  const bool established = old != nullptr && IsConditionTrue(*old, "Established");
  // What was accepted once and has not changed stays so; a write of the status changes nothing
  // else.
  const bool same = old != nullptr && At(crd, "spec") == At(*old, "spec");
  if (!same) {
    if (old == nullptr) CheckOwnName(crd, errors);
    CheckSpec(crd, established, errors);
    if (old != nullptr) CheckImmutable(crd, *old, established, errors);
  }
  CheckNames(At(crd, "status.acceptedNames"), "status.acceptedNames", errors);
  if (!same) CheckStoredVersions(crd, errors);
  CheckApproval(crd, old, errors);
  CheckPreserve(crd, old, errors);
  return errors;
}

}  // namespace millwright::apiserver
