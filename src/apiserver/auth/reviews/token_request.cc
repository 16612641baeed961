#include "apiserver/auth/reviews/token_request.h"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "apiserver/auth/authn/authenticator.h"
#include "apiserver/auth/authn/stored_object.h"
#include "apiserver/auth/authz/node_access.h"
#include "apiserver/auth/authz/policy_rule.h"
#include "apiserver/auth/reviews/review.h"
#include "apiserver/auth/reviews/review_kinds.h"
#include "apiserver/rest/failures.h"
#include "kube/api/json_text.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

constexpr std::int64_t kMinSeconds = 600;
constexpr std::int64_t kMaxSeconds = std::int64_t{1} << 32U;
// What kubelets ask for by default. Old clients that never read their token again get a year, and
// are only warned of.
constexpr std::int64_t kWarnOnlySeconds = 3607;
constexpr std::int64_t kExtendedSeconds = 365 * 24 * 3600;

std::string Text(const json::value& object, std::string_view path) {
  return std::string(kube::GetString(object, path));
}

Failure Conflicting(std::string_view what, std::string_view name, std::string why) {
  kube::StatusDetails details;
  details.name = name;
  details.kind = what.substr(0, what.find('.'));
  if (const auto dot = what.find('.'); dot != what.npos) details.group = what.substr(dot + 1);
  return Refuse(
      {.status = "Failure",
       .message = fmt::format("Operation cannot be fulfilled on {} \"{}\": {}", what, name, why),
       .reason = "Conflict",
       .details = std::move(details),
       .code = 409});
}

// The name, namespace and uid are the account's; a request may say so, but nothing else.
Result<void> FillMetadata(Review& review, const Call& call, const std::string& uid, WallTime now) {
  std::vector<kube::FieldError> errors;
  const auto expect = [&](const char* field, const std::string& value, const char* what) {
    const std::string sent = Text(review.object, std::string("metadata.") + field);
    if (!sent.empty() && sent != value) {
      errors.push_back(
          kube::InvalidError(std::string("metadata.") + field, json::value(sent),
                             fmt::format("must match the service account {} if specified", what)));
    }
    review.Metadata()[field] = value;
  };
  expect("name", call.place.name, "name");
  expect("namespace", call.place.namespace_, "namespace");
  if (!errors.empty()) return InvalidObject(*review.kind, call.place.name, errors);
  const std::string sent = Text(review.object, "metadata.uid");
  if (!sent.empty() && sent != uid) {
    return Conflicting("TokenRequest.authentication.k8s.io", call.place.name,
                       fmt::format("the UID in the token request ({}) does not match the UID of "
                                   "the service account ({})",
                                   sent, uid));
  }
  review.Metadata()["uid"] = uid;
  review.Metadata()["creationTimestamp"] = FormatTime(now);
  return Ok();
}

Result<std::int64_t> FillSpec(Review& review) {
  json::object& spec = review.Spec();
  if (ReadTexts(spec.if_contains("audiences")).empty()) {
    spec["audiences"] = json::value_from(DefaultAudiences());
  }
  const json::value wanted = spec["expirationSeconds"];
  const std::int64_t seconds = wanted.is_int64() ? wanted.get_int64() : 0;
  std::vector<kube::FieldError> errors;
  if (seconds < kMinSeconds) {
    errors.push_back(kube::InvalidError("spec.expirationSeconds", wanted,
                                        "may not specify a duration less than 10 minutes"));
  }
  if (seconds > kMaxSeconds) {
    errors.push_back(kube::InvalidError("spec.expirationSeconds", wanted,
                                        "may not specify a duration larger than 2^32 seconds"));
  }
  CHECK_OK(CheckErrors(review, errors));
  return seconds;
}

struct Bound {
  std::string kind;
  std::string plural;
  json::value object;
};

Result<Bound> FindBound(const Services& services, const Call& call, const json::value& reference) {
  Bound bound{.kind = Text(reference, "kind"), .plural = {}, .object = {}};
  const std::string version = Text(reference, "apiVersion");
  const bool core = version.find('/') == std::string::npos;
  if (core && bound.kind == "Pod") bound.plural = "pods";
  if (core && bound.kind == "Secret") bound.plural = "secrets";
  if (core && bound.kind == "Node") bound.plural = "nodes";
  if (bound.plural.empty()) {
    return BadRequest(
        fmt::format("cannot bind token to object of type {}, Kind={}", version, bound.kind));
  }
  const std::string name = Text(reference, "name");
  const std::string space = bound.kind == "Node" ? std::string() : call.place.namespace_;
  auto object = FindStored({.store = services.store, .registry = services.registry}, bound.plural,
                           space, name);
  if (!object) {
    const ResourcePtr resource = services.registry.Find("", "v1", bound.plural);
    if (!resource) return NoSuchPath();
    return NotFound(*resource, name);
  }
  bound.object = *std::move(object);
  const std::string uid = Text(reference, "uid");
  if (!uid.empty() && uid != kube::GetString(bound.object, "metadata.uid")) {
    return Conflicting(bound.kind, name,
                       fmt::format("the UID in the bound object reference ({}) does not match the "
                                   "UID in record. The object might have been deleted and then "
                                   "recreated",
                                   uid));
  }
  return bound;
}

ObjectReference ReferenceTo(const json::value& object) {
  return {.name = Text(object, "metadata.name"), .uid = Text(object, "metadata.uid")};
}

Result<void> Bind(const Services& services, const Call& call, const json::value& reference,
                  TokenClaims& claims) {
  TRY(const Bound bound, FindBound(services, call, reference));
  if (bound.kind == "Secret") claims.secret = ReferenceTo(bound.object);
  if (bound.kind == "Node") claims.node = ReferenceTo(bound.object);
  if (bound.kind != "Pod") return Ok();
  if (kube::GetString(bound.object, "spec.serviceAccountName") != call.place.name) {
    return BadRequest(
        fmt::format("cannot bind token for serviceaccount \"{}\" to pod running with "
                    "different serviceaccount name.",
                    call.place.name));
  }
  claims.pod = ReferenceTo(bound.object);
  const std::string node_name = Text(bound.object, "spec.nodeName");
  if (node_name.empty()) return Ok();
  const auto node =
      FindStored({.store = services.store, .registry = services.registry}, "nodes", "", node_name);
  claims.node = node ? ReferenceTo(*node) : ObjectReference{.name = node_name, .uid = {}};
  return Ok();
}

// A node gets tokens for the pods that run on it, each bound to its pod.
Result<void> CheckMayAsNode(const Services& services, const Call& call,
                            const json::value& reference) {
  const auto node = NodeNameOf(call.user);
  if (!node) return Ok();
  const auto refuse = [&](std::string why) {
    return Forbidden(*call.resource, call.place.name, std::move(why));
  };
  const std::string name = Text(reference, "name");
  const std::string uid = Text(reference, "uid");
  const bool to_pod = Text(reference, "apiVersion") == "v1" && Text(reference, "kind") == "Pod";
  if (!to_pod || name.empty()) return refuse("node requested token not bound to a pod");
  if (uid.empty()) return refuse("node requested token with a pod binding without a uid");
  const auto pod = FindStored({.store = services.store, .registry = services.registry}, "pods",
                              call.place.namespace_, name);
  if (!pod) return Ok();  // said elsewhere
  if (uid != kube::GetString(*pod, "metadata.uid")) {
    return refuse(
        fmt::format("the UID in the bound object reference ({}) does not match the UID "
                    "in record. The object might have been deleted and then recreated",
                    uid));
  }
  if (kube::GetString(*pod, "spec.nodeName") == *node) return Ok();
  return refuse("node requested token bound to a pod scheduled on a different node");
}

}  // namespace

Result<Answer> RequestToken(const Services& services, const Call& call,
                            const TokenAuthority& tokens) {
  TRY(Review review, ReadReview(services, call, TokenRequestKind()));
  const auto account = FindStored({.store = services.store, .registry = services.registry},
                                  "serviceaccounts", call.place.namespace_, call.place.name);
  if (!account) return NotFound(*call.resource, call.place.name);
  const json::value* bound_to = review.Spec().if_contains("boundObjectRef");
  CHECK_OK(CheckMayAsNode(services, call, bound_to == nullptr ? json::value() : *bound_to));
  const WallTime now = services.clock.Now();
  const std::string uid = Text(*account, "metadata.uid");
  CHECK_OK(FillMetadata(review, call, uid, now));
  TRY(const std::int64_t seconds, FillSpec(review));

  TokenClaims claims{.issuer = {},
                     .audiences = ReadTexts(review.Spec().if_contains("audiences")),
                     .id = services.random.Uuid(),
                     .issued = now,
                     .begins = now,
                     .ends = now + std::chrono::seconds(seconds),
                     .namespace_ = call.place.namespace_,
                     .account = {.name = call.place.name, .uid = uid}};
  if (const json::value* reference = review.Spec().if_contains("boundObjectRef");
      reference != nullptr && reference->is_object()) {
    CHECK_OK(Bind(services, call, *reference, claims));
  }
  if (claims.pod && seconds == kWarnOnlySeconds && claims.audiences == DefaultAudiences()) {
    claims.warn_after = claims.ends;
    claims.ends = now + std::chrono::seconds(kExtendedSeconds);
  }
  review.Status()["token"] = tokens.Sign(claims);
  review.Status()["expirationTimestamp"] = FormatTime(now + std::chrono::seconds(seconds));
  return AnswerReview(std::move(review));
}

}  // namespace millwright::apiserver
