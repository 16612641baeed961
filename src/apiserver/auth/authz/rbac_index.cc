#include "apiserver/auth/authz/rbac_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "kube/api/typed_text.h"

namespace millwright::apiserver {

namespace {

using kube::QuotedText;

// Groups and users have names of any form, so they are kept apart by a letter in front.
std::string SubjectKey(std::string_view namespace_, char kind, std::string_view name) {
  std::string key(namespace_);
  key += '/';
  key += kind;
  key += name;
  return key;
}

// None for a subject that is nobody.
std::optional<std::string> SubjectKey(const RbacBinding& binding, const RbacSubject& subject) {
  if (subject.kind == "User") return SubjectKey(binding.namespace_, 'u', subject.name);
  if (subject.kind == "Group") return SubjectKey(binding.namespace_, 'g', subject.name);
  if (subject.kind != "ServiceAccount") return std::nullopt;
  const std::string& home = subject.namespace_.empty() ? binding.namespace_ : subject.namespace_;
  if (home.empty()) return std::nullopt;
  return SubjectKey(binding.namespace_, 'u', ServiceAccountUser(home, subject.name));
}

std::string Describe(const RbacBinding& binding, const RbacSubject& subject) {
  std::string who = subject.name;
  if (subject.kind == "ServiceAccount") {
    who += "/" + (subject.namespace_.empty() ? binding.namespace_ : subject.namespace_);
  }
  const bool local = !binding.namespace_.empty();
  return fmt::format("{} {} of {} {} to {} {}", local ? "RoleBinding" : "ClusterRoleBinding",
                     QuotedText(local ? binding.name + "/" + binding.namespace_ : binding.name),
                     binding.role.kind, QuotedText(binding.role.name), subject.kind,
                     QuotedText(who));
}

std::string MissingRole(const RoleReference& role) {
  if (role.kind != "Role" && role.kind != "ClusterRole") {
    return "unsupported role reference kind: " + QuotedText(role.kind);
  }
  return fmt::format("{}.rbac.authorization.k8s.io {} not found",
                     role.kind == "Role" ? "role" : "clusterrole", QuotedText(role.name));
}

// Each once, in the order they came.
std::string Joined(const std::vector<std::string>& problems) {
  std::vector<std::string> once;
  for (const std::string& problem : problems) {
    if (std::ranges::find(once, problem) == once.end()) once.push_back(problem);
  }
  if (once.size() == 1) return once.front();
  return fmt::format("[{}]", fmt::join(once, ", "));
}

}  // namespace

void RbacIndex::SetRole(std::string_view namespace_, std::string_view name,
                        std::optional<RbacRole> role) {
  if (namespace_.empty()) aggregated_.clear();
  Key key(namespace_, name);
  if (role) {
    roles_.insert_or_assign(std::move(key), *std::move(role));
  } else {
    roles_.erase(key);
  }
}

void RbacIndex::SetBinding(std::string_view namespace_, std::string_view name,
                           std::optional<RbacBinding> binding) {
  const Key key(namespace_, name);
  if (const auto old = bindings_.find(key); old != bindings_.end()) {
    Unlink(old->second);
    bindings_.erase(old);
  }
  if (!binding) return;
  const auto added = bindings_.emplace(key, *std::move(binding)).first;
  Link(added->second);
}

void RbacIndex::Link(const RbacBinding& binding) {
  for (const RbacSubject& subject : binding.subjects) {
    const auto key = SubjectKey(binding, subject);
    if (key) by_subject_[*key].push_back({.binding = &binding, .subject = &subject});
  }
}

void RbacIndex::Unlink(const RbacBinding& binding) {
  for (const RbacSubject& subject : binding.subjects) {
    const auto key = SubjectKey(binding, subject);
    const auto found = key ? by_subject_.find(*key) : by_subject_.end();
    if (found == by_subject_.end()) continue;
    std::erase_if(found->second, [&](const Grant& grant) { return grant.binding == &binding; });
    if (found->second.empty()) by_subject_.erase(found);
  }
}

void RbacIndex::AddGrantsIn(const User& user, std::string_view namespace_,
                            std::vector<Grant>& grants) const {
  const auto add = [&](char kind, const std::string& name) {
    const auto found = by_subject_.find(SubjectKey(namespace_, kind, name));
    if (found == by_subject_.end()) return;
    grants.insert(grants.end(), found->second.begin(), found->second.end());
  };
  const auto first = static_cast<std::ptrdiff_t>(grants.size());
  add('u', user.name);
  for (const std::string& group : user.groups) add('g', group);
  // A binding that names the user in several ways counts once, by its first subject.
  const auto order = [](const Grant& grant) {
    return std::tie(grant.binding->name, grant.subject);
  };
  std::sort(grants.begin() + first, grants.end(),
            [&](const Grant& a, const Grant& b) { return order(a) < order(b); });
  grants.erase(std::unique(grants.begin() + first, grants.end(),
                           [](const Grant& a, const Grant& b) { return a.binding == b.binding; }),
               grants.end());
}

std::vector<RbacIndex::Grant> RbacIndex::GrantsTo(const User& user,
                                                  std::string_view namespace_) const {
  std::vector<Grant> grants;
  AddGrantsIn(user, "", grants);
  if (!namespace_.empty()) AddGrantsIn(user, namespace_, grants);
  return grants;
}

const PolicyRules* RbacIndex::RulesOf(const RoleReference& role,
                                      std::string_view namespace_) const {
  const bool of_cluster = role.kind == "ClusterRole";
  if (!of_cluster && (role.kind != "Role" || namespace_.empty())) return nullptr;
  const auto found = roles_.find(Key(of_cluster ? std::string_view() : namespace_, role.name));
  if (found == roles_.end()) return nullptr;
  if (of_cluster && !found->second.aggregated.empty()) return &Aggregated(role.name, found->second);
  return &found->second.rules;
}

const PolicyRules& RbacIndex::Aggregated(const std::string& name, const RbacRole& role) const {
  const auto [found, is_new] = aggregated_.try_emplace(name);
  if (is_new) {
    std::set<std::string> visited{name};
    Gather(role, visited, found->second);
  }
  return found->second;
}

void RbacIndex::Gather(const RbacRole& role, std::set<std::string>& visited,
                       PolicyRules& rules) const {
  for (auto it = roles_.begin(); it != roles_.end() && it->first.first.empty(); ++it) {
    const auto& [key, other] = *it;
    const bool selected = std::ranges::any_of(
        role.aggregated, [&](const auto& selector) { return selector.Matches(other.labels); });
    if (!selected || !visited.insert(key.second).second) continue;
    if (!other.aggregated.empty()) {
      Gather(other, visited, rules);
      continue;
    }
    for (const PolicyRule& rule : other.rules) {
      if (std::ranges::find(rules, rule) == rules.end()) rules.push_back(rule);
    }
  }
}

Decision RbacIndex::Authorize(const User& user, const Access& access) const {
  std::vector<std::string> problems;
  for (const auto& [binding, subject] : GrantsTo(user, access.namespace_)) {
    const PolicyRules* rules = RulesOf(binding->role, binding->namespace_);
    if (rules == nullptr) {
      problems.push_back(MissingRole(binding->role));
      continue;
    }
    if (std::ranges::any_of(*rules, [&](const auto& rule) { return rule.Allows(access); })) {
      return {.allowed = true, .reason = "RBAC: allowed by " + Describe(*binding, *subject)};
    }
  }
  if (problems.empty()) return {};
  return {.allowed = false, .reason = "RBAC: " + Joined(problems)};
}

HeldRules RbacIndex::RulesFor(const User& user, std::string_view namespace_) const {
  HeldRules held;
  for (const auto& [binding, subject] : GrantsTo(user, namespace_)) {
    const PolicyRules* rules = RulesOf(binding->role, binding->namespace_);
    if (rules == nullptr) {
      held.problems.push_back(MissingRole(binding->role));
    } else {
      held.rules.insert(held.rules.end(), rules->begin(), rules->end());
    }
  }
  return held;
}

}  // namespace millwright::apiserver
