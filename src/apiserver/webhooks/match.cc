#include "apiserver/webhooks/match.h"

#include <algorithm>
#include <array>

namespace millwright::apiserver {

namespace {

bool ContainsOrAll(const std::vector<std::string>& items, std::string_view wanted) {
  return std::ranges::any_of(
      items, [&](const std::string& item) { return item == "*" || item == wanted; });
}

bool ResourceMatches(const std::vector<std::string>& resources, const Subject& subject) {
  return std::ranges::any_of(resources, [&](std::string_view item) {
    const auto slash = item.find('/');
    const std::string_view resource = item.substr(0, slash);
    const std::string_view sub = slash == item.npos ? "" : item.substr(slash + 1);
    return (resource == "*" || resource == subject.resource.resource) &&
           (sub == "*" || sub == subject.subresource);
  });
}

bool ScopeMatches(std::string_view scope, const Subject& subject) {
  if (scope.empty() || scope == "*") return true;
  const bool is_namespace = subject.resource.group.empty() && subject.resource.version == "v1" &&
                            subject.resource.resource == "namespaces";
  const bool of_cluster = is_namespace || subject.namespace_.empty();
  return scope == (of_cluster ? "Cluster" : "Namespaced");
}

}  // namespace

bool RuleMatches(const WebhookRule& rule, const Subject& subject) {
  return ScopeMatches(rule.scope, subject) && ContainsOrAll(rule.operations, subject.operation) &&
         ContainsOrAll(rule.groups, subject.resource.group) &&
         ContainsOrAll(rule.versions, subject.resource.version) &&
         ResourceMatches(rule.resources, subject);
}

std::optional<kube::GroupVersionResource> MatchRules(
    const Webhook& webhook, const Subject& subject,
    const std::vector<kube::GroupVersionResource>& equivalents) {
  for (const WebhookRule& rule : webhook.rules) {
    if (RuleMatches(rule, subject)) return subject.resource;
  }
  if (webhook.exact) return std::nullopt;
  // An earlier rule decides which version is shown.
  for (const WebhookRule& rule : webhook.rules) {
    for (const kube::GroupVersionResource& equivalent : equivalents) {
      Subject other = subject;
      other.resource = equivalent;
      if (RuleMatches(rule, other)) return equivalent;
    }
  }
  return std::nullopt;
}

std::vector<kube::GroupVersionResource> EquivalentsOf(const Registry& registry,
                                                      const kube::GroupVersionResource& resource) {
  const bool is_event = resource.resource == "events" &&
                        (resource.group.empty() || resource.group == "events.k8s.io");
  std::vector<kube::GroupVersionResource> others;
  for (const Registry::Group& group : registry.groups()) {
    const bool same_events = is_event && (group.name.empty() || group.name == "events.k8s.io");
    if (group.name != resource.group && !same_events) continue;
    for (const Registry::Version& version : group.versions) {
      if (group.name == resource.group && version.name == resource.version) continue;
      if (!version.resources.contains(resource.resource)) continue;
      others.push_back({group.name, version.name, resource.resource});
    }
  }
  return others;
}

bool IsExempt(const kube::GroupVersionKind& kind) {
  constexpr std::array<std::string_view, 6> kKinds = {
      "ValidatingWebhookConfiguration", "MutatingWebhookConfiguration",
      "ValidatingAdmissionPolicy",      "ValidatingAdmissionPolicyBinding",
      "MutatingAdmissionPolicy",        "MutatingAdmissionPolicyBinding"};
  return kind.group == "admissionregistration.k8s.io" &&
         std::ranges::find(kKinds, kind.kind) != kKinds.end();
}

}  // namespace millwright::apiserver
