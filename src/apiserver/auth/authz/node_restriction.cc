#include "apiserver/auth/authz/node_restriction.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include <boost/json.hpp>

#include "apiserver/auth/authz/node_access.h"
#include "apiserver/rest/failures.h"
#include "kube/api/json_text.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

using Operation = Admittance::Operation;

Failure Refuse(const Admittance& about, std::string_view why) {
  return Forbidden(about.resource, about.name, std::string(why));
}

bool Is(const Admittance& about, std::string_view group, std::string_view plural) {
  return about.resource.kind.group == group && about.resource.plural == plural;
}

const json::value& At(const json::value& object, std::string_view path) {
  static const json::value kNothing;
  const json::value* found = kube::Find(object, path);
  return found == nullptr ? kNothing : *found;
}

std::string_view DomainOf(std::string_view label) {
  const auto slash = label.find('/');
  return slash == label.npos ? std::string_view() : label.substr(0, slash);
}

bool IsWithin(std::string_view domain, std::string_view parent) {
  if (domain == parent) return true;
  return domain.ends_with(parent) && domain.size() > parent.size() &&
         domain[domain.size() - parent.size() - 1] == '.';
}

// Labels that a node may say of itself although they are Kubernetes' own.
bool IsNodesOwnLabel(std::string_view label) {
  static const std::set<std::string_view> kLabels = {
      "kubernetes.io/hostname",
      "kubernetes.io/os",
      "kubernetes.io/arch",
      "beta.kubernetes.io/os",
      "beta.kubernetes.io/arch",
      "beta.kubernetes.io/instance-type",
      "node.kubernetes.io/instance-type",
      "topology.kubernetes.io/zone",
      "topology.kubernetes.io/region",
      "failure-domain.beta.kubernetes.io/zone",
      "failure-domain.beta.kubernetes.io/region",
  };
  const std::string_view domain = DomainOf(label);
  return kLabels.contains(label) || IsWithin(domain, "kubelet.kubernetes.io") ||
         IsWithin(domain, "node.kubernetes.io");
}

bool IsForbiddenLabel(std::string_view label) {
  const std::string_view domain = DomainOf(label);
  if (IsWithin(domain, "node-restriction.kubernetes.io")) return true;
  const bool of_kubernetes = IsWithin(domain, "kubernetes.io") || IsWithin(domain, "k8s.io");
  return of_kubernetes && !IsNodesOwnLabel(label);
}

std::set<std::string> ForbiddenLabels(const json::value* old, const json::value& node) {
  std::set<std::string> forbidden;
  const json::object* after = kube::GetObject(node, "metadata.labels");
  const json::object* before = old == nullptr ? nullptr : kube::GetObject(*old, "metadata.labels");
  const auto compare = [&](const json::object* labels, const json::object* others) {
    if (labels == nullptr) return;
    for (const auto& [label, value] : *labels) {
      const json::value* other = others == nullptr ? nullptr : others->if_contains(label);
      if ((other == nullptr || *other != value) && IsForbiddenLabel(label)) {
        forbidden.emplace(label);
      }
    }
  };
  compare(after, before);
  compare(before, after);
  return forbidden;
}

Result<void> CheckNode(const Admittance& about, std::string_view node, const json::value* object) {
  if (about.name != node) {
    return Refuse(
        about, fmt::format("node \"{}\" is not allowed to modify node \"{}\"", node, about.name));
  }
  if (object == nullptr) return Ok();
  const auto labels = ForbiddenLabels(about.old, *object);
  if (about.operation == Operation::kCreate) {
    if (labels.empty()) return Ok();
    return Refuse(about, fmt::format("node \"{}\" is not allowed to set the following labels: {}",
                                     node, fmt::join(labels, ", ")));
  }
  if (about.old == nullptr) return Ok();
  if (At(*object, "spec.taints") != At(*about.old, "spec.taints")) {
    return Refuse(about, fmt::format("node \"{}\" is not allowed to modify taints", node));
  }
  if (At(*object, "metadata.ownerReferences") != At(*about.old, "metadata.ownerReferences")) {
    return Refuse(about, fmt::format("node \"{}\" is not allowed to modify ownerReferences", node));
  }
  if (labels.empty()) return Ok();
  return Refuse(about, fmt::format("is not allowed to modify labels: {}", fmt::join(labels, ", ")));
}

Result<void> CheckNamedAlike(const Admittance& about, std::string_view node,
                             std::string_view what) {
  if (about.name == node) return Ok();
  return Refuse(about,
                fmt::format("can only access {} with the same name as the requesting node", what));
}

}  // namespace

Result<void> NodeRestrictionStep::CheckNewPod(const Admittance& about, std::string_view node,
                                              const json::value& pod) const {
  const json::object* annotations = kube::GetObject(pod, "metadata.annotations");
  if (annotations == nullptr || !annotations->contains("kubernetes.io/config.mirror")) {
    return Refuse(about,
                  fmt::format("pod does not have \"kubernetes.io/config.mirror\" annotation, "
                              "node \"{}\" can only create mirror pods",
                              node));
  }
  if (kube::GetString(pod, "spec.nodeName") != node) {
    return Refuse(about, fmt::format("node \"{}\" can only create pods with spec.nodeName set to "
                                     "itself",
                                     node));
  }
  const json::array* owners = kube::GetArray(pod, "metadata.ownerReferences");
  const RecordPtr record = store_.Get("/core/nodes/" + std::string(node));
  const json::value self = record ? json::parse(record->value) : json::value();
  const bool owned = owners != nullptr && owners->size() == 1 &&
                     kube::GetString((*owners)[0], "apiVersion") == "v1" &&
                     kube::GetString((*owners)[0], "kind") == "Node" &&
                     kube::GetString((*owners)[0], "name") == node &&
                     kube::GetBool((*owners)[0], "controller") &&
                     kube::GetString((*owners)[0], "uid") == kube::GetString(self, "metadata.uid");
  if (owned) return Ok();
  return Refuse(about,
                fmt::format("node \"{}\" can only create pods with an owner reference set to "
                            "itself",
                            node));
}

Result<void> NodeRestrictionStep::CheckPod(const Admittance& about, std::string_view node,
                                           const json::value* object) const {
  const bool own = about.old != nullptr && kube::GetString(*about.old, "spec.nodeName") == node;
  if (about.place.subresource == "status") {
    if (!own) {
      return Refuse(about, fmt::format("node \"{}\" can only update pod status for pods with "
                                       "spec.nodeName set to itself",
                                       node));
    }
    const bool relabels =
        object != nullptr && At(*object, "metadata.labels") != At(*about.old, "metadata.labels");
    if (!relabels) return Ok();
    return Refuse(about, fmt::format("node \"{}\" cannot update labels through pod status", node));
  }
  if (about.place.subresource == "eviction") return Ok();  // judged before: see AuthorizeNode
  if (about.operation == Operation::kDelete) {
    if (own) return Ok();
    return Refuse(about, fmt::format("node \"{}\" can only delete pods with spec.nodeName set to "
                                     "itself",
                                     node));
  }
  if (about.operation == Operation::kCreate && object != nullptr) {
    return CheckNewPod(about, node, *object);
  }
  return Refuse(about, fmt::format("unexpected operation \"UPDATE\", node \"{}\" can only create "
                                   "and delete mirror pods",
                                   node));
}

Task<Result<void>> NodeRestrictionStep::Validate(const Admittance& about, const json::value* object,
                                                 std::vector<std::string>& /*warnings*/) {
  const auto node = NodeNameOf(about.user);
  if (!node) co_return Ok();
  if (Is(about, "", "nodes")) co_return CheckNode(about, *node, object);
  if (Is(about, "", "pods")) co_return CheckPod(about, *node, object);
  if (Is(about, "coordination.k8s.io", "leases")) {
    if (about.place.namespace_ != "kube-node-lease") {
      co_return Refuse(about,
                       R"(can only access leases in the "kube-node-lease" system namespace)");
    }
    co_return CheckNamedAlike(about, *node, "node lease");
  }
  if (Is(about, "storage.k8s.io", "csinodes")) co_return CheckNamedAlike(about, *node, "CSINode");
  co_return Ok();
}

}  // namespace millwright::apiserver
