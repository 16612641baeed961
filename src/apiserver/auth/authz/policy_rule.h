// One rule of a role: which verbs on what.
#pragma once

#include <string>
#include <vector>

#include <boost/json/value.hpp>

#include "apiserver/auth/authz/access.h"

namespace millwright::apiserver {

struct PolicyRule {
  std::vector<std::string> verbs = {};
  std::vector<std::string> api_groups = {};
  std::vector<std::string> resources = {};
  std::vector<std::string> resource_names = {};     // none: all
  std::vector<std::string> non_resource_urls = {};  // a star at the end stands for any rest

  bool Allows(const Access& access) const;

  // As the messages of Kubernetes show it: {APIGroups:[""], Resources:["pods"], Verbs:["get"]}.
  std::string ToString() const;

  friend bool operator==(const PolicyRule&, const PolicyRule&) = default;
};

using PolicyRules = std::vector<PolicyRule>;

// The member `rules` of a role; none if it has none.
PolicyRules ReadRules(const boost::json::value& role);
boost::json::array WriteRules(const PolicyRules& rules);

// The texts of a list; anything else in it is passed over.
std::vector<std::string> ReadTexts(const boost::json::value* list);

// Go's %q of a list: ["a" "b"].
std::string QuotedTexts(const std::vector<std::string>& texts);

// Whether a path is one of those that a rule's URL means.
bool CoversUrl(std::string_view rule_url, std::string_view path);

}  // namespace millwright::apiserver
