#include "apiserver/auth/authn/service_account.h"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "apiserver/auth/authz/impersonation.h"
#include "apiserver/auth/authz/rbac_objects.h"
#include "kube/api/json_text.h"

namespace millwright::apiserver {

namespace {

constexpr Duration kGrace = std::chrono::minutes(1);

Failure Refused(std::string why) { return Fail(ErrorKind::kInvalid, std::move(why)); }

// An object that is about to go lets its tokens go first.
bool IsLeaving(const boost::json::value& object, WallTime now) {
  const auto since = ParseTime(kube::GetString(object, "metadata.deletionTimestamp"));
  return since && *since < now - kGrace;
}

Result<void> CheckAccount(const TokenClaims& claims, const Stored& stored, WallTime now) {
  const auto account =
      FindStored(stored, "serviceaccounts", claims.namespace_, claims.account.name);
  if (!account)
    return Refused(fmt::format("serviceaccounts \"{}\" not found", claims.account.name));
  const std::string_view uid = kube::GetString(*account, "metadata.uid");
  if (uid != claims.account.uid) {
    return Refused(
        fmt::format("service account UID ({}) does not match claim ({})", uid, claims.account.uid));
  }
  if (IsLeaving(*account, now)) {
    return Refused(fmt::format("service account {}/{} has been deleted", claims.namespace_,
                               claims.account.name));
  }
  return Ok();
}

Result<void> CheckBound(const Stored& stored, std::string_view kind, std::string_view namespace_,
                        const ObjectReference& reference, WallTime now) {
  const auto object = FindStored(stored, std::string(kind) + "s", namespace_, reference.name);
  if (!object || IsLeaving(*object, now)) {
    return Refused("service account token has been invalidated");
  }
  const std::string_view uid = kube::GetString(*object, "metadata.uid");
  if (uid == reference.uid) return Ok();
  return Refused(fmt::format("{} UID ({}) does not match service account {} ref claim ({})", kind,
                             uid, kind, reference.uid));
}

}  // namespace

Result<void> CheckBoundObjects(const TokenClaims& claims, const Stored& stored, WallTime now) {
  CHECK_OK(CheckAccount(claims, stored, now));
  if (claims.secret) {
    CHECK_OK(CheckBound(stored, "secret", claims.namespace_, *claims.secret, now));
  }
  if (claims.pod) return CheckBound(stored, "pod", claims.namespace_, *claims.pod, now);
  if (claims.node) return CheckBound(stored, "node", "", *claims.node, now);
  return Ok();
}

User AccountUser(const TokenClaims& claims) {
  User user{.name = ServiceAccountUser(claims.namespace_, claims.account.name),
            .uid = claims.account.uid,
            .groups = ServiceAccountGroups(claims.namespace_)};
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) user.extra["authentication.kubernetes.io/" + std::string(name)] = {value};
  };
  if (!claims.id.empty()) add("credential-id", "JTI=" + claims.id);
  if (claims.pod) {
    add("pod-name", claims.pod->name);
    add("pod-uid", claims.pod->uid);
  }
  if (claims.node) {
    add("node-name", claims.node->name);
    add("node-uid", claims.node->uid);
  }
  return user;
}

}  // namespace millwright::apiserver
