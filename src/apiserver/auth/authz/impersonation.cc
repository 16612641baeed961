#include "apiserver/auth/authz/impersonation.h"

#include <fmt/format.h>

#include <algorithm>

#include "apiserver/rest/failures.h"
#include "kube/api/names.h"
#include "kube/api/typed_text.h"
#include "net/url.h"

namespace millwright::apiserver {

namespace {

constexpr std::string_view kExtraPrefix = "impersonate-extra-";
constexpr std::string_view kAuthenticated = "system:authenticated";
constexpr std::string_view kUnauthenticated = "system:unauthenticated";
constexpr std::string_view kAuthenticationGroup = "authentication.k8s.io";

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

// What the headers ask for, as it stands.
User ReadHeaders(const net::Headers& headers) {
  User wanted;
  for (const auto& [field, value] : headers) {
    const std::string name = Lower(field);
    if (name == "impersonate-user" && wanted.name.empty()) wanted.name = value;
    if (name == "impersonate-uid" && wanted.uid.empty()) wanted.uid = value;
    if (name == "impersonate-group") wanted.groups.push_back(value);
    if (name.starts_with(kExtraPrefix)) {
      const std::string key = name.substr(kExtraPrefix.size());
      wanted.extra[net::PercentDecode(key).value_or(key)].push_back(value);
    }
  }
  return wanted;
}

// Everything that has to be allowed, in the order of Kubernetes.
std::vector<Access> PartsOf(const User& wanted) {
  std::vector<Access> parts;
  const auto account = ParseServiceAccountUser(wanted.name);
  if (account) {
    parts.push_back({.verb = "impersonate",
                     .version = "v1",
                     .resource = "serviceaccounts",
                     .namespace_ = account->namespace_,
                     .name = account->name});
  } else {
    parts.push_back(
        {.verb = "impersonate", .version = "v1", .resource = "users", .name = wanted.name});
  }
  Access special{
      .verb = "impersonate", .group = std::string(kAuthenticationGroup), .version = "v1"};
  if (!wanted.uid.empty()) {
    special.resource = "uids";
    special.name = wanted.uid;
    parts.push_back(special);
  }
  for (const std::string& group : wanted.groups) {
    parts.push_back({.verb = "impersonate", .version = "v1", .resource = "groups", .name = group});
  }
  special.resource = "userextras";
  for (const auto& [key, values] : wanted.extra) {
    special.subresource = key;
    for (const std::string& value : values) {
      special.name = value;
      parts.push_back(special);
    }
  }
  return parts;
}

void AddGroup(User& user, std::string_view group) {
  if (std::ranges::find(user.groups, group) == user.groups.end()) user.groups.emplace_back(group);
}

// The groups that come with a name.
void AddImpliedGroups(User& user) {
  const auto account = ParseServiceAccountUser(user.name);
  if (account && user.groups.empty()) user.groups = ServiceAccountGroups(account->namespace_);
  if (user.name == "system:anonymous") {
    AddGroup(user, kUnauthenticated);
  } else if (std::ranges::find(user.groups, kUnauthenticated) == user.groups.end()) {
    AddGroup(user, kAuthenticated);
  }
}

std::string GoText(const std::vector<std::string>& texts) {
  if (texts.empty()) return "[]string(nil)";
  std::string list = "[]string{";
  for (const std::string& text : texts) {
    if (!list.ends_with('{')) list += ", ";
    list += kube::QuotedText(text);
  }
  return list + "}";
}

// Go's %#v of a user.
std::string GoText(const User& user) {
  std::string extra = "map[string][]string(nil)";
  if (!user.extra.empty()) {
    extra = "map[string][]string{";
    for (const auto& [key, values] : user.extra) {
      if (!extra.ends_with('{')) extra += ", ";
      extra += kube::QuotedText(key) + ":" + GoText(values);
    }
    extra += "}";
  }
  return fmt::format("&user.DefaultInfo{{Name:\"\", UID:{}, Groups:{}, Extra:{}}}",
                     kube::QuotedText(user.uid), GoText(user.groups), extra);
}

}  // namespace

std::vector<std::string> ServiceAccountGroups(std::string_view namespace_) {
  return {"system:serviceaccounts", "system:serviceaccounts:" + std::string(namespace_)};
}

std::optional<ServiceAccountName> ParseServiceAccountUser(std::string_view user) {
  constexpr std::string_view kPrefix = "system:serviceaccount:";
  if (!user.starts_with(kPrefix)) return std::nullopt;
  user.remove_prefix(kPrefix.size());
  const auto colon = user.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  ServiceAccountName account{.namespace_ = std::string(user.substr(0, colon)),
                             .name = std::string(user.substr(colon + 1))};
  const bool valid = kube::CheckDns1123Label(account.namespace_).empty() &&
                     kube::CheckDns1123Subdomain(account.name).empty();
  if (!valid) return std::nullopt;
  return account;
}

Result<User> Impersonate(const User& user, const net::Headers& headers, Authorizer& authorizer) {
  User wanted = ReadHeaders(headers);
  if (wanted.name.empty()) {
    if (wanted == User{}) return user;
    return BadRequest("requested " + GoText(wanted) + " without impersonating a user name");
  }
  for (const Access& part : PartsOf(wanted)) CHECK_OK(authorizer.Check(user, part));
  AddImpliedGroups(wanted);
  return wanted;
}

}  // namespace millwright::apiserver
