#include "apiserver/webhooks/asker.h"

#include <fmt/format.h>

#include <algorithm>

#include <boost/json.hpp>

#include "apiserver/rest/failures.h"
#include "apiserver/rest/selection.h"
#include "apiserver/webhooks/match.h"
#include "apiserver/webhooks/post.h"
#include "kube/api/json_text.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

using Operation = Admittance::Operation;

bool ObjectsMatch(const Webhook& webhook, const json::value* object, const json::value* old) {
  if (webhook.objects.IsEverything()) return true;
  const auto matches = [&](const json::value* one) {
    return one != nullptr && webhook.objects.Matches(LabelsOf(*one));
  };
  return matches(object) || matches(old);
}

const json::value* Either(const std::optional<json::value>& shown, const json::value* own) {
  return shown ? &*shown : own;
}

// The first that we know, in the webhook's order of preference.
std::string ReviewVersionOf(const Webhook& webhook) {
  for (const std::string& version : webhook.review_versions) {
    if (version == "v1" || version == "v1beta1") return version;
  }
  return {};
}

}  // namespace

Result<bool> WebhookAsker::NamespaceMatches(const Webhook& webhook, const Admittance& about,
                                            const json::value* object) const {
  const std::string name = about.Namespace();
  if (webhook.namespaces.IsEverything() || name.empty()) return true;
  // A namespace is judged by the labels that it is to have.
  const bool writes_namespace =
      about.resource.plural == "namespaces" && about.place.subresource.empty() &&
      (about.operation == Operation::kCreate || about.operation == Operation::kUpdate);
  if (writes_namespace && object != nullptr) return webhook.namespaces.Matches(LabelsOf(*object));
  const RecordPtr record = parts_.store.Get("/core/namespaces/" + name);
  if (!record) {
    return Refuse({.status = "Failure",
                   .message = fmt::format("namespaces \"{}\" not found", name),
                   .reason = "NotFound",
                   .details = {.name = name, .group = "", .kind = "namespaces"},
                   .code = 404});
  }
  return webhook.namespaces.Matches(LabelsOf(json::parse(record->value)));
}

std::optional<ReviewedAs> WebhookAsker::RulesMatch(const Webhook& webhook,
                                                   const Admittance& about) const {
  const Subject subject{.operation = ToString(about.operation),
                        .resource = about.resource.Gvr(),
                        .subresource = about.place.subresource,
                        .namespace_ = about.Namespace()};
  std::vector<kube::GroupVersionResource> equivalents;
  if (!webhook.exact) equivalents = EquivalentsOf(parts_.registry, subject.resource);
  const auto resource = MatchRules(webhook, subject, equivalents);
  if (!resource) return std::nullopt;
  ReviewedAs as{.kind = about.kind(), .resource = *resource};
  // What an endpoint shows in a form of its own has that form in all versions.
  if (about.form == nullptr && *resource != subject.resource) {
    const ResourcePtr other =
        parts_.registry.Find(resource->group, resource->version, resource->resource);
    if (other) as.kind = other->kind;
  }
  return as;
}

Result<bool> WebhookAsker::ConditionsHold(const Webhook& webhook, const Admittance& about,
                                          const View& view, const json::value* object) const {
  if (webhook.conditions.empty()) return true;
  const json::value request = AdmissionRequestOf(about, view.as, "");
  Result<bool> held =
      parts_.conditions
          ? parts_.conditions(webhook.conditions, {.object = Either(view.object, object),
                                                   .old = Either(view.old, about.old),
                                                   .request = request})
          : Fail(ErrorKind::kUnavailable, "matchConditions cannot be evaluated here");
  if (held) return held;
  if (webhook.fail_open) return false;
  return Forbidden(about.resource, about.name, held.error().message());
}

Task<Result<json::value>> WebhookAsker::InVersion(const Resource& resource, json::value object,
                                                  std::string api_version) {
  if (!resource.converter) {
    object.get_object()["apiVersion"] = api_version;
    co_return object;
  }
  std::vector<json::value> objects;
  objects.push_back(std::move(object));
  auto converted = co_await resource.converter->Convert(std::move(objects), std::move(api_version));
  if (converted) co_return std::move(converted->front());
  if (converted.error().kind() == ErrorKind::kCancelled) co_return Failure(converted.error());
  co_return Fail(ErrorKind::kInternal, converted.error().message());
}

Task<Result<std::optional<View>>> WebhookAsker::ViewOf(const Webhook& webhook,
                                                       const Admittance& about,
                                                       const json::value* object) {
  const Result<bool> in_namespace = NamespaceMatches(webhook, about, object);
  if (in_namespace && !*in_namespace) co_return std::nullopt;
  if (!ObjectsMatch(webhook, object, about.old)) co_return std::nullopt;
  auto as = RulesMatch(webhook, about);
  // A namespace that is missing matters only to those who are concerned.
  if (!as) co_return std::nullopt;
  CO_CHECK(in_namespace);
  View view{.as = *std::move(as)};
  if (view.as.kind != about.kind()) {
    const std::string version = view.as.kind.ApiVersion();
    if (object != nullptr) {
      CO_TRY(view.object, co_await InVersion(about.resource, *object, version));
    }
    if (about.old != nullptr) {
      CO_TRY(view.old, co_await InVersion(about.resource, *about.old, version));
    }
  }
  CO_TRY(const bool held, ConditionsHold(webhook, about, view, object));
  if (!held) co_return std::nullopt;
  co_return view;
}

Task<Result<Verdict>> WebhookAsker::Ask(const Webhook& webhook, const Admittance& about,
                                        const View& view, const json::value* object,
                                        bool mutating) {
  const std::string version = ReviewVersionOf(webhook);
  if (version.empty()) {
    co_return Fail(ErrorKind::kInvalid,
                   "could not create admission objects: webhook does not accept known "
                   "AdmissionReview versions (v1, v1beta1)");
  }
  const std::string uid = parts_.calls.random == nullptr ? "" : parts_.calls.random->Uuid();
  std::string body = WriteAdmissionReview(version, AdmissionRequestOf(about, view.as, uid),
                                          Either(view.object, object), Either(view.old, about.old));
  const Duration left = std::max(Duration(0), about.deadline - parts_.clock.Elapsed());
  auto answer = co_await PostReview(parts_.calls, webhook.address, std::move(body),
                                    std::min(webhook.timeout, left));
  if (!answer) co_return Failure(Error(answer.error()).Wrap("failed to call webhook"));
  co_return ReadAdmissionReview(version, uid, mutating, *answer);
}

}  // namespace millwright::apiserver
