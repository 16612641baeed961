#include "apiserver/auth/authn/token_claims.h"

#include <chrono>

#include <boost/json.hpp>

#include "apiserver/auth/authz/policy_rule.h"
#include "apiserver/auth/authz/rbac_objects.h"
#include "kube/api/json_text.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

constexpr Duration kGrace = std::chrono::minutes(1);

std::int64_t Seconds(WallTime time) {
  return std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
}

json::object WriteReference(const ObjectReference& reference) {
  json::object object{{"name", reference.name}};
  if (!reference.uid.empty()) object["uid"] = reference.uid;
  return object;
}

std::optional<ObjectReference> ReadReference(const json::object& owner, std::string_view name) {
  const json::value* value = owner.if_contains(name);
  if (value == nullptr || !value->is_object()) return std::nullopt;
  return ObjectReference{.name = std::string(kube::GetString(*value, "name")),
                         .uid = std::string(kube::GetString(*value, "uid"))};
}

// Far enough for any token, near enough for our type of time.
constexpr double kLatestSecond = 8e9;

std::optional<WallTime> ReadTime(const json::object& claims, std::string_view name) {
  const json::value* value = claims.if_contains(name);
  if (value == nullptr || !value->is_number()) return std::nullopt;
  const auto seconds = value->to_number<double>();
  if (!(seconds >= 0 && seconds <= kLatestSecond)) return std::nullopt;
  return WallTime(std::chrono::seconds(static_cast<std::int64_t>(seconds)));
}

std::vector<std::string> ReadAudiences(const json::object& claims) {
  const json::value* value = claims.if_contains("aud");
  if (value != nullptr && value->is_string()) return {std::string(value->get_string())};
  return ReadTexts(value);
}

Failure NotOfAnAccount() {
  return Fail(ErrorKind::kInvalid, "the token is not that of a service account");
}

}  // namespace

json::object WriteClaims(const TokenClaims& claims) {
  json::object kubernetes{{"namespace", claims.namespace_}};
  if (claims.node) kubernetes["node"] = WriteReference(*claims.node);
  if (claims.pod) kubernetes["pod"] = WriteReference(*claims.pod);
  if (claims.secret) kubernetes["secret"] = WriteReference(*claims.secret);
  kubernetes["serviceaccount"] = WriteReference(claims.account);
  if (claims.warn_after) kubernetes["warnafter"] = Seconds(*claims.warn_after);
  return {{"aud", json::value_from(claims.audiences)},
          {"exp", Seconds(claims.ends)},
          {"iat", Seconds(claims.issued)},
          {"iss", claims.issuer},
          {"jti", claims.id},
          {"kubernetes.io", std::move(kubernetes)},
          {"nbf", Seconds(claims.begins)},
          {"sub", ServiceAccountUser(claims.namespace_, claims.account.name)}};
}

Result<TokenClaims> ReadClaims(const json::value& value) {
  if (!value.is_object()) return NotOfAnAccount();
  const json::object& object = value.get_object();
  const json::value* kubernetes = object.if_contains("kubernetes.io");
  const auto ends = ReadTime(object, "exp");
  if (kubernetes == nullptr || !kubernetes->is_object() || !ends) return NotOfAnAccount();
  const json::object& bound = kubernetes->get_object();
  const auto account = ReadReference(bound, "serviceaccount");
  if (!account || account->name.empty()) return NotOfAnAccount();
  TokenClaims claims{.issuer = std::string(kube::GetString(value, "iss")),
                     .audiences = ReadAudiences(object),
                     .id = std::string(kube::GetString(value, "jti")),
                     .issued = ReadTime(object, "iat").value_or(WallTime()),
                     .begins = ReadTime(object, "nbf").value_or(WallTime()),
                     .ends = *ends,
                     .namespace_ = std::string(kube::GetString(*kubernetes, "namespace")),
                     .account = *account,
                     .pod = ReadReference(bound, "pod"),
                     .secret = ReadReference(bound, "secret"),
                     .node = ReadReference(bound, "node"),
                     .warn_after = ReadTime(bound, "warnafter")};
  const std::string subject = ServiceAccountUser(claims.namespace_, claims.account.name);
  if (kube::GetString(value, "sub") != subject) return NotOfAnAccount();
  return claims;
}

Result<void> CheckTime(const TokenClaims& claims, WallTime now) {
  if (now + kGrace < claims.begins) {
    return Fail(ErrorKind::kInvalid, "service account token is not valid yet");
  }
  if (now - kGrace > claims.ends) {
    return Fail(ErrorKind::kInvalid, "service account token has expired");
  }
  if (now + kGrace < claims.issued) {
    return Fail(ErrorKind::kInvalid, "service account token is issued in the future");
  }
  return Ok();
}

}  // namespace millwright::apiserver
