#include "apiserver/auth/authz/node_access.h"

#include <fmt/format.h>

#include <algorithm>

#include <boost/json.hpp>

#include "apiserver/auth/authz/builtin_roles.h"
#include "apiserver/auth/authz/pod_references.h"
#include "kube/api/field_selector.h"
#include "kube/api/json_text.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

const Decision kAllowed{.allowed = true};

Decision Refused(std::string reason = {}) {
  return {.allowed = false, .reason = std::move(reason)};
}

bool IsOneOf(std::string_view text, std::initializer_list<std::string_view> choices) {
  return std::ranges::find(choices, text) != choices.end();
}

bool RunsOn(const json::value& pod, std::string_view node) {
  return kube::GetString(pod, "spec.nodeName") == node;
}

std::optional<json::value> Read(const Store& store, const std::string& key) {
  const RecordPtr record = store.Get(key);
  if (!record) return std::nullopt;
  return json::parse(record->value);
}

// Whether a pod on the node refers to the object. Nodes ask for such things when a pod starts, and
// then seldom again.
bool IsNeeded(const Store& store, std::string_view node, std::string_view resource,
              std::string_view space, std::string_view name) {
  const auto pods = store.List({.scope = fmt::format("/core/pods/{}/", space)});
  if (!pods) return false;
  return std::ranges::any_of(pods->records, [&](const RecordPtr& record) {
    const json::value pod = json::parse(record->value);
    return RunsOn(pod, node) && PodRefersTo(pod, resource, name);
  });
}

bool IsNeededVolume(const Store& store, std::string_view node, const std::string& name) {
  const auto volume = Read(store, "/core/persistentvolumes/" + name);
  if (!volume) return false;
  const std::string_view space = kube::GetString(*volume, "spec.claimRef.namespace");
  const std::string_view claim = kube::GetString(*volume, "spec.claimRef.name");
  return IsNeeded(store, node, "persistentvolumeclaims", space, claim);
}

bool BelongsTo(const Store& store, std::string_view node, const Access& access) {
  if (access.name.empty()) return false;
  if (access.resource == "pods") {
    const auto pod = Read(store, fmt::format("/core/pods/{}/{}", access.namespace_, access.name));
    return pod && RunsOn(*pod, node);
  }
  if (access.resource == "persistentvolumes") return IsNeededVolume(store, node, access.name);
  if (access.resource == "volumeattachments") {
    const auto attachment = Read(store, "/storage.k8s.io/volumeattachments/" + access.name);
    return attachment && RunsOn(*attachment, node);
  }
  return !access.namespace_.empty() &&
         IsNeeded(store, node, access.resource, access.namespace_, access.name);
}

Decision Related(const Store& store, std::string_view node, const Access& access) {
  if (access.name.empty()) return Refused("No Object name found");
  if (BelongsTo(store, node, access)) return kAllowed;
  return Refused(fmt::format("no relationship found between node '{}' and this object", node));
}

Decision ReadRelated(const Store& store, std::string_view node, const Access& access) {
  if (!IsOneOf(access.verb, {"get", "list", "watch"})) {
    return Refused("can only read resources of this type");
  }
  if (!access.subresource.empty()) return Refused("cannot read subresource");
  if (access.namespace_.empty()) return Refused("can only read namespaced object of this type");
  return Related(store, node, access);
}

Decision GetRelated(const Store& store, std::string_view node, const Access& access) {
  if (access.verb != "get") return Refused("can only get individual resources of this type");
  if (!access.subresource.empty()) return Refused("cannot get subresource");
  return Related(store, node, access);
}

Decision OfClaims(const Store& store, std::string_view node, const Access& access) {
  if (access.subresource != "status") return GetRelated(store, node, access);
  if (!IsOneOf(access.verb, {"update", "patch"})) {
    return Refused("can only get/update/patch this type");
  }
  return Related(store, node, access);
}

Decision OfAccounts(const Store& store, std::string_view node, const Access& access) {
  if (access.verb == "get" && access.subresource.empty()) return ReadRelated(store, node, access);
  if (access.verb != "create" || access.name.empty()) {
    return Refused("can only create tokens for individual service accounts");
  }
  if (access.subresource != "token") {
    return Refused("can only create token subresource of serviceaccount");
  }
  return Related(store, node, access);
}

Decision OfLeases(const Store& /*store*/, std::string_view node, const Access& access) {
  if (!IsOneOf(access.verb, {"get", "create", "update", "patch", "delete"})) {
    return Refused("can only get, create, update, patch, or delete a node lease");
  }
  if (access.namespace_ != "kube-node-lease") {
    return Refused(R"(can only access leases in the "kube-node-lease" system namespace)");
  }
  if (access.verb != "create" && access.name != node) {
    return Refused("can only access node lease with the same name as the requesting node");
  }
  return kAllowed;
}

Decision OfCsiNodes(const Store& /*store*/, std::string_view node, const Access& access) {
  if (!IsOneOf(access.verb, {"get", "create", "update", "patch", "delete"})) {
    return Refused("can only get, create, update, patch, or delete a CSINode");
  }
  if (!access.subresource.empty()) return Refused("cannot authorize CSINode subresources");
  if (access.verb != "create" && access.name != node) {
    return Refused("can only access CSINode with the same name as the requesting node");
  }
  return kAllowed;
}

Decision OfNodes(const Store& /*store*/, std::string_view node, const Access& access) {
  const bool writes = IsOneOf(access.verb, {"update", "patch"});
  if (access.subresource == "status" && writes) return kAllowed;
  if (!access.subresource.empty()) return Refused();
  if (writes || access.verb == "create") return kAllowed;
  if (!IsOneOf(access.verb, {"get", "list", "watch"})) return Refused();
  if (access.name == node) return kAllowed;
  if (access.name.empty()) {
    return Refused(fmt::format("node '{}' cannot read all nodes, only its own Node object", node));
  }
  return Refused(
      fmt::format("node '{}' cannot read '{}', only its own Node object", node, access.name));
}

bool SelectsOwn(std::string_view node, const Access& access) {
  const auto fields = kube::ParseFieldSelector(access.field_selector);
  const std::string* wanted = fields ? fields->RequiredValue("spec.nodeName") : nullptr;
  return wanted != nullptr && *wanted == node;
}

Decision OfPods(const Store& store, std::string_view node, const Access& access) {
  if (access.subresource == "status") {
    return IsOneOf(access.verb, {"update", "patch"}) ? kAllowed : Refused();
  }
  if (access.subresource == "eviction" && access.verb == "create") {
    return Related(store, node, access);
  }
  if (!access.subresource.empty()) return Refused();
  if (IsOneOf(access.verb, {"create", "delete"})) return kAllowed;
  if (access.verb == "get") return GetRelated(store, node, access);
  if (!IsOneOf(access.verb, {"list", "watch"})) return Refused();
  if (SelectsOwn(node, access)) return kAllowed;
  if (!access.name.empty()) return Related(store, node, access);
  return Refused("can only list/watch pods with spec.nodeName field selector");
}

using Judge = Decision (*)(const Store&, std::string_view node, const Access&);

struct Row {
  std::string_view group;
  std::string_view resource;
  Judge judge;
};

constexpr Row kJudges[] = {
    {"", "configmaps", ReadRelated},
    {"", "nodes", OfNodes},
    {"", "persistentvolumeclaims", OfClaims},
    {"", "persistentvolumes", GetRelated},
    {"", "pods", OfPods},
    {"", "secrets", ReadRelated},
    {"", "serviceaccounts", OfAccounts},
    {"coordination.k8s.io", "leases", OfLeases},
    {"storage.k8s.io", "csinodes", OfCsiNodes},
    {"storage.k8s.io", "volumeattachments", GetRelated},
};

// For the rest: events, reviews, requests for certificates.
const PolicyRules& RulesOfNodes() {
  static const PolicyRules kRules = [] {
    for (BuiltinRole& role : BuiltinRoles()) {
      if (role.name == "system:node") return std::move(role.rules);
    }
    return PolicyRules();
  }();
  return kRules;
}

}  // namespace

std::optional<std::string> NodeNameOf(const User& user) {
  constexpr std::string_view kPrefix = "system:node:";
  const bool member = std::ranges::find(user.groups, "system:nodes") != user.groups.end();
  if (!member || !user.name.starts_with(kPrefix)) return std::nullopt;
  std::string name = user.name.substr(kPrefix.size());
  return name.empty() ? std::nullopt : std::optional(std::move(name));
}

Decision AuthorizeNode(const Store& store, std::string_view node, const Access& access) {
  if (access.IsAboutResource()) {
    for (const auto& [group, resource, judge] : kJudges) {
      if (group == access.group && resource == access.resource) return judge(store, node, access);
    }
  }
  const bool allowed = std::ranges::any_of(
      RulesOfNodes(), [&](const PolicyRule& rule) { return rule.Allows(access); });
  return {.allowed = allowed};
}

}  // namespace millwright::apiserver
