#include "apiserver/auth/authz/covers.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace millwright::apiserver {

namespace {

// A rule with at most one of everything.
PolicyRules Single(const PolicyRule& rule) {
  PolicyRules parts;
  const auto add = [&](PolicyRule part) {
    for (const std::string& verb : rule.verbs) {
      part.verbs = {verb};
      parts.push_back(part);
    }
  };
  for (const std::string& group : rule.api_groups) {
    for (const std::string& resource : rule.resources) {
      PolicyRule part{.api_groups = {group}, .resources = {resource}};
      if (rule.resource_names.empty()) add(part);
      for (const std::string& name : rule.resource_names) {
        part.resource_names = {name};
        add(part);
      }
    }
  }
  for (const std::string& url : rule.non_resource_urls) add({.non_resource_urls = {url}});
  return parts;
}

bool Has(const std::vector<std::string>& texts, std::string_view text) {
  return std::ranges::find(texts, text) != texts.end();
}

bool HoldsResource(const std::vector<std::string>& held, const std::string& resource) {
  if (Has(held, "*") || Has(held, resource)) return true;
  const auto slash = resource.find('/');
  return slash != std::string::npos && Has(held, "*" + resource.substr(slash));
}

// `part` is one of Single. A star in it is a thing of its own: only a star covers it.
bool Covers(const PolicyRule& held, const PolicyRule& part) {
  if (!Has(held.verbs, "*") && !Has(held.verbs, part.verbs.front())) return false;
  if (!part.non_resource_urls.empty()) {
    // A rule with resource names is about resources; one without may have both.
    return held.resource_names.empty() &&
           std::ranges::any_of(held.non_resource_urls, [&](const std::string& url) {
             return CoversUrl(url, part.non_resource_urls.front());
           });
  }
  if (!Has(held.api_groups, "*") && !Has(held.api_groups, part.api_groups.front())) return false;
  if (!HoldsResource(held.resources, part.resources.front())) return false;
  if (held.resource_names.empty()) return true;
  return !part.resource_names.empty() && Has(held.resource_names, part.resource_names.front());
}

}  // namespace

PolicyRules MissingRules(const PolicyRules& held, const PolicyRules& wanted) {
  PolicyRules missing;
  for (const PolicyRule& rule : wanted) {
    for (PolicyRule& part : Single(rule)) {
      const bool covered =
          std::ranges::any_of(held, [&](const PolicyRule& h) { return Covers(h, part); });
      if (!covered) missing.push_back(std::move(part));
    }
  }
  return missing;
}

std::string DescribeRules(const PolicyRules& missing) {
  // Those about the same thing become one, with all its verbs.
  std::map<std::tuple<std::string, std::string, std::string, bool>, PolicyRule> by_thing;
  std::set<std::string> lines;
  for (const PolicyRule& rule : missing) {
    if (!rule.non_resource_urls.empty()) {
      lines.insert(rule.ToString());
      continue;
    }
    const bool named = !rule.resource_names.empty();
    auto [found, is_new] =
        by_thing.try_emplace({rule.api_groups.front(), rule.resources.front(),
                              named ? rule.resource_names.front() : std::string(), named},
                             rule);
    if (!is_new) found->second.verbs.push_back(rule.verbs.front());
  }
  for (const auto& [thing, rule] : by_thing) lines.insert(rule.ToString());
  std::string text;
  for (const std::string& line : lines) text += (text.empty() ? "" : "\n") + line;
  return text;
}

}  // namespace millwright::apiserver
