// Which webhooks a write concerns. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/resources/registry.h"
#include "apiserver/webhooks/configuration.h"
#include "kube/api/group_version.h"

namespace millwright::apiserver {

// What rules look at.
struct Subject {
  std::string_view operation;  // "CREATE"
  kube::GroupVersionResource resource;
  std::string subresource = {};
  std::string namespace_ = {};  // of a namespace its own name
};

bool RuleMatches(const WebhookRule& rule, const Subject& subject);

// The resource as which the webhook wants to see the object: that of the request, or the same in
// another version. None if no rule names it. `equivalents` are the others.
std::optional<kube::GroupVersionResource> MatchRules(
    const Webhook& webhook, const Subject& subject,
    const std::vector<kube::GroupVersionResource>& equivalents);

// The same objects under other versions or groups.
std::vector<kube::GroupVersionResource> EquivalentsOf(const Registry& registry,
                                                      const kube::GroupVersionResource& resource);

// Those that decide about webhooks themselves: nobody may lock them in.
bool IsExempt(const kube::GroupVersionKind& kind);

}  // namespace millwright::apiserver
