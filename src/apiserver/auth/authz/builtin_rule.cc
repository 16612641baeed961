#include "apiserver/auth/authz/builtin_rule.h"

namespace millwright::apiserver {

namespace {

std::vector<std::string> Words(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const auto space = text.find(' ');
    if (space != 0) words.emplace_back(text.substr(0, space));
    text.remove_prefix(space == std::string_view::npos ? text.size() : space + 1);
  }
  return words;
}

}  // namespace

PolicyRule OnResources(std::string_view verbs, std::string_view groups, std::string_view resources,
                       std::string_view names) {
  PolicyRule rule{.verbs = Words(verbs),
                  .api_groups = Words(groups),
                  .resources = Words(resources),
                  .resource_names = Words(names)};
  for (std::string& group : rule.api_groups) {
    if (group == "core") group.clear();
  }
  return rule;
}

PolicyRule OnUrls(std::string_view verbs, std::string_view urls) {
  return {.verbs = Words(verbs), .non_resource_urls = Words(urls)};
}

PolicyRule WritesEvents() {
  return OnResources("create update patch", "core events.k8s.io", "events");
}

}  // namespace millwright::apiserver
