#include "apiserver/auth/authz/policy_rule.h"

#include <algorithm>

#include <boost/json.hpp>

#include "kube/api/json_text.h"
#include "kube/api/typed_text.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

bool HasOrStar(const std::vector<std::string>& texts, std::string_view text) {
  return std::ranges::any_of(texts, [&](const std::string& t) { return t == "*" || t == text; });
}

// "*", "pods", "pods/status", "*/status".
bool MeansResource(std::string_view rule, const Access& access) {
  if (rule == "*") return true;
  if (access.subresource.empty()) return rule == access.resource;
  const auto slash = rule.find('/');
  if (slash == std::string_view::npos || rule.substr(slash + 1) != access.subresource) return false;
  const std::string_view resource = rule.substr(0, slash);
  return resource == "*" || resource == access.resource;
}

}  // namespace

bool CoversUrl(std::string_view rule_url, std::string_view path) {
  if (rule_url == "*" || rule_url == path) return true;
  if (!rule_url.ends_with('*')) return false;
  return path.starts_with(rule_url.substr(0, rule_url.find_last_not_of('*') + 1));
}

bool PolicyRule::Allows(const Access& access) const {
  if (!HasOrStar(verbs, access.verb)) return false;
  if (!access.IsAboutResource()) {
    return std::ranges::any_of(non_resource_urls,
                               [&](const auto& url) { return CoversUrl(url, access.path); });
  }
  const bool name_allowed = resource_names.empty() ||
                            std::ranges::find(resource_names, access.name) != resource_names.end();
  return name_allowed && HasOrStar(api_groups, access.group) &&
         std::ranges::any_of(resources, [&](const auto& r) { return MeansResource(r, access); });
}

std::string QuotedTexts(const std::vector<std::string>& texts) {
  std::string list = "[";
  for (const std::string& text : texts) {
    if (list.size() > 1) list += ' ';
    list += kube::QuotedText(text);
  }
  return list + "]";
}

std::string PolicyRule::ToString() const {
  std::string text;
  const auto add = [&](std::string_view name, const std::vector<std::string>& values) {
    if (values.empty()) return;
    text += text.empty() ? "" : ", ";
    text += std::string(name) + ":" + QuotedTexts(values);
  };
  add("APIGroups", api_groups);
  add("Resources", resources);
  add("NonResourceURLs", non_resource_urls);
  add("ResourceNames", resource_names);
  add("Verbs", verbs);
  return "{" + text + "}";
}

std::vector<std::string> ReadTexts(const json::value* list) {
  std::vector<std::string> texts;
  if (list == nullptr || !list->is_array()) return texts;
  for (const json::value& item : list->get_array()) {
    if (item.is_string()) texts.emplace_back(item.get_string());
  }
  return texts;
}

PolicyRules ReadRules(const json::value& role) {
  PolicyRules rules;
  const json::array* array = kube::GetArray(role, "rules");
  if (array == nullptr) return rules;
  for (const json::value& rule : *array) {
    rules.push_back({.verbs = ReadTexts(kube::Find(rule, "verbs")),
                     .api_groups = ReadTexts(kube::Find(rule, "apiGroups")),
                     .resources = ReadTexts(kube::Find(rule, "resources")),
                     .resource_names = ReadTexts(kube::Find(rule, "resourceNames")),
                     .non_resource_urls = ReadTexts(kube::Find(rule, "nonResourceURLs"))});
  }
  return rules;
}

json::array WriteRules(const PolicyRules& rules) {
  json::array array;
  for (const PolicyRule& rule : rules) {
    json::object object;
    const auto add = [&](std::string_view name, const std::vector<std::string>& values) {
      if (!values.empty()) object[name] = json::value_from(values);
    };
    add("verbs", rule.verbs);
    add("apiGroups", rule.api_groups);
    add("resources", rule.resources);
    add("resourceNames", rule.resource_names);
    add("nonResourceURLs", rule.non_resource_urls);
    array.emplace_back(std::move(object));
  }
  return array;
}

}  // namespace millwright::apiserver
