#include "apiserver/auth/authz/authorizer.h"

#include <algorithm>

#include <boost/json.hpp>

#include "apiserver/auth/authz/node_access.h"
#include "kube/api/json_text.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

// Where the store keeps all four kinds; see StorageRoot.
constexpr std::string_view kScope = "/rbac.authorization.k8s.io/";

struct Location {
  std::string_view resource;
  std::string_view namespace_;
  std::string_view name;
};

// "/rbac.authorization.k8s.io/roles/ns/name", or without a namespace.
Location Locate(std::string_view key) {
  key.remove_prefix(std::min(key.size(), kScope.size()));
  Location location;
  const auto slash = key.find('/');
  location.resource = key.substr(0, slash);
  if (slash == std::string_view::npos) return location;
  key.remove_prefix(slash + 1);
  const auto second = key.find('/');
  if (second != std::string_view::npos) location.namespace_ = key.substr(0, second);
  location.name = second == std::string_view::npos ? key : key.substr(second + 1);
  return location;
}

}  // namespace

bool IsMaster(const User& user) {
  return std::ranges::find(user.groups, "system:masters") != user.groups.end();
}

void Authorizer::Apply(const Record& record) {
  const Location at = Locate(record.key);
  std::optional<json::value> object;
  if (!record.IsTombstone()) {
    auto parsed = kube::ParseJson(record.value);
    if (parsed) object = *std::move(parsed);
  }
  if (at.resource == "roles" || at.resource == "clusterroles") {
    index_.SetRole(at.namespace_, at.name, object.transform(ReadRole));
  } else if (at.resource == "rolebindings" || at.resource == "clusterrolebindings") {
    index_.SetBinding(at.namespace_, at.name, object.transform(ReadBinding));
  }
}

void Authorizer::Reload() {
  index_ = {};
  watcher_.reset();
  const auto page = store_.List({.scope = std::string(kScope)});
  if (!page) return;  // the newest state can always be listed
  for (const RecordPtr& record : page->records) Apply(*record);
  auto watcher = store_.Watch(std::string(kScope), page->revision);
  if (watcher) watcher_ = *std::move(watcher);
}

const RbacIndex& Authorizer::index() {
  while (watcher_) {
    const auto change = watcher_->TryNext();
    if (!change) break;  // nobody asked for so long that the history has moved on
    if (!*change) return index_;
    Apply(*(*change)->record);
  }
  Reload();
  return index_;
}

Decision Authorizer::Authorize(const User& user, const Access& access) {
  if (IsMaster(user)) return {.allowed = true};
  const auto node = NodeNameOf(user);
  if (!node) return index().Authorize(user, access);
  Decision own = AuthorizeNode(store_, *node, access);
  if (own.allowed) return own;
  Decision decision = index().Authorize(user, access);
  if (!decision.allowed && decision.reason.empty()) decision.reason = std::move(own.reason);
  return decision;
}

Result<void> Authorizer::Check(const User& user, const Access& access) {
  const Decision decision = Authorize(user, access);
  if (decision.allowed) return Ok();
  return ForbiddenTo(user, access, decision.reason);
}

}  // namespace millwright::apiserver
