#include "apiserver/builtin/names.h"

namespace millwright::apiserver {

namespace {

bool IsLabel(const kube::GroupVersionKind& kind) {
  return kind.group.empty() ? kind.kind == "Namespace" || kind.kind == "Service"
                            : kind.group == "apps" && kind.kind == "StatefulSet";
}

// Those that never had a rule of their own.
bool IsAnySegment(const kube::GroupVersionKind& kind) {
  if (kind.group.empty()) return kind.kind == "Event";
  return kind.group == "rbac.authorization.k8s.io" || kind.group == "certificates.k8s.io" ||
         kind.group == "apiregistration.k8s.io" ||
         (kind.group == "policy" && kind.kind == "PodDisruptionBudget");
}

}  // namespace

kube::Complaints CheckBuiltinName(const kube::GroupVersionKind& kind, std::string_view name) {
  if (IsLabel(kind)) return kube::CheckDns1123Label(name);
  return IsAnySegment(kind) ? kube::CheckPathSegment(name) : kube::CheckDns1123Subdomain(name);
}

}  // namespace millwright::apiserver
