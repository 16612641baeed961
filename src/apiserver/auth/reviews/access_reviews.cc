#include "apiserver/auth/reviews/access_reviews.h"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "apiserver/auth/reviews/review.h"
#include "apiserver/rest/failures.h"
#include "kube/api/json_text.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

using Errors = std::vector<kube::FieldError>;

std::string Text(const json::value& object, std::string_view path) {
  return std::string(kube::GetString(object, path));
}

// As a real server shows it: by the names of the Go type.
json::value ShownPath(const Review& review) {
  return json::object{{"Path", Text(review.object, "spec.nonResourceAttributes.path")},
                      {"Verb", Text(review.object, "spec.nonResourceAttributes.verb")}};
}

// 422. The kind is left out, because the object does not know it any more when a real server
// checks it.
Result<void> Check(const Review& review, const Errors& errors) {
  if (errors.empty()) return Ok();
  Resource nameless = *review.kind;
  nameless.kind.kind.clear();
  return InvalidObject(nameless, "", errors);
}

bool AsksForResource(const Review& review) {
  return kube::GetObject(review.object, "spec.resourceAttributes") != nullptr;
}

bool AsksForPath(const Review& review) {
  return kube::GetObject(review.object, "spec.nonResourceAttributes") != nullptr;
}

void CheckQuestion(const Review& review, Errors& errors) {
  if (AsksForResource(review) && AsksForPath(review)) {
    errors.push_back(kube::InvalidError("spec.nonResourceAttributes", ShownPath(review),
                                        "cannot be specified in combination with "
                                        "resourceAttributes"));
  }
  if (!AsksForResource(review) && !AsksForPath(review)) {
    errors.push_back(kube::InvalidError("spec.resourceAttributes", json::value(),
                                        "exactly one of nonResourceAttributes or "
                                        "resourceAttributes must be specified"));
  }
}

void CheckSubject(const Review& review, Errors& errors) {
  const json::array* groups = kube::GetArray(review.object, "spec.groups");
  const bool named = !kube::GetString(review.object, "spec.user").empty();
  if (named || (groups != nullptr && !groups->empty())) return;
  errors.push_back(kube::InvalidError("spec.user", json::value(""),
                                      "at least one of user or group must be specified"));
}

// A question has no name. What the server itself added does not count.
void CheckMetadata(const Review& review, std::string_view except, std::string_view rule,
                   Errors& errors) {
  const json::object* metadata = kube::GetObject(review.object, "metadata");
  if (metadata == nullptr) return;
  for (const auto& [name, value] : *metadata) {
    const bool unset = value.is_null() || name == "managedFields" || name == except;
    if (unset) continue;
    errors.push_back(kube::InvalidError("metadata", *metadata, std::string(rule)));
    return;
  }
}

Access AccessOf(const Review& review) {
  const json::value& object = review.object;
  if (!AsksForResource(review)) {
    const std::string path = Text(object, "spec.nonResourceAttributes.path");
    return {.verb = Text(object, "spec.nonResourceAttributes.verb"),
            .path = path.empty() ? "/" : path};
  }
  return {.verb = Text(object, "spec.resourceAttributes.verb"),
          .group = Text(object, "spec.resourceAttributes.group"),
          .version = Text(object, "spec.resourceAttributes.version"),
          .resource = Text(object, "spec.resourceAttributes.resource"),
          .subresource = Text(object, "spec.resourceAttributes.subresource"),
          .namespace_ = Text(object, "spec.resourceAttributes.namespace"),
          .name = Text(object, "spec.resourceAttributes.name")};
}

User SubjectOf(const Review& review) {
  return {.name = Text(review.object, "spec.user"),
          .uid = Text(review.object, "spec.uid"),
          .groups = ReadTexts(kube::Find(review.object, "spec.groups"))};
}

Result<Answer> Decide(Review review, const User& user, Authorizer& authorizer) {
  const Decision decision = authorizer.Authorize(user, AccessOf(review));
  json::object& status = review.Status();
  status["allowed"] = decision.allowed;
  if (!decision.reason.empty()) status["reason"] = decision.reason;
  return AnswerReview(std::move(review));
}

}  // namespace

Result<Answer> ReviewOwnAccess(const Services& services, const Call& call, Authorizer& authorizer) {
  TRY(Review review, ReadReview(services, call, call.resource));
  Errors errors;
  CheckQuestion(review, errors);
  CheckMetadata(review, "", "must be empty", errors);
  CHECK_OK(Check(review, errors));
  return Decide(std::move(review), call.user, authorizer);
}

Result<Answer> ReviewAccess(const Services& services, const Call& call, Authorizer& authorizer) {
  TRY(Review review, ReadReview(services, call, call.resource));
  Errors errors;
  CheckQuestion(review, errors);
  CheckSubject(review, errors);
  CheckMetadata(review, "", "must be empty", errors);
  CHECK_OK(Check(review, errors));
  const User subject = SubjectOf(review);
  return Decide(std::move(review), subject, authorizer);
}

Result<Answer> ReviewLocalAccess(const Services& services, const Call& call,
                                 Authorizer& authorizer) {
  TRY(Review review, ReadReview(services, call, call.resource));
  json::value& namespace_ = review.Metadata()["namespace"];
  const bool given = namespace_.is_string() && !namespace_.get_string().empty();
  if (given && namespace_.get_string() != call.place.namespace_) {
    return BadRequest(
        fmt::format("the namespace of the provided object does not match the "
                    "namespace sent on the request"));
  }
  namespace_ = call.place.namespace_;
  Errors errors;
  CheckQuestion(review, errors);
  CheckSubject(review, errors);
  CheckMetadata(review, "namespace", "must be empty except for namespace", errors);
  const std::string asked = Text(review.object, "spec.resourceAttributes.namespace");
  if (AsksForResource(review) && asked != call.place.namespace_) {
    errors.push_back(kube::InvalidError("spec.resourceAttributes.namespace", json::value(asked),
                                        "must match metadata.namespace"));
  }
  if (AsksForPath(review)) {
    errors.push_back(kube::InvalidError("spec.nonResourceAttributes", ShownPath(review),
                                        "disallowed on this kind of request"));
  }
  CHECK_OK(Check(review, errors));
  const User subject = SubjectOf(review);
  return Decide(std::move(review), subject, authorizer);
}

Result<Answer> ReviewOwnRules(const Services& services, const Call& call, Authorizer& authorizer) {
  TRY(Review asked, ReadReview(services, call, call.resource));
  const std::string namespace_ = Text(asked.object, "spec.namespace");
  if (namespace_.empty()) return BadRequest("no namespace on request");
  const HeldRules held = authorizer.index().RulesFor(call.user, namespace_);
  PolicyRules resources;
  PolicyRules urls;
  for (const PolicyRule& rule : held.rules) {
    if (!rule.resources.empty()) {
      resources.push_back(rule);
      resources.back().non_resource_urls.clear();
    }
    if (!rule.non_resource_urls.empty()) {
      urls.push_back({.verbs = rule.verbs, .non_resource_urls = rule.non_resource_urls});
    }
  }
  // The answer is a new object; nothing of the question comes back.
  Review answer{.kind = asked.kind, .object = json::object(), .warnings = asked.warnings};
  answer.object = {{"apiVersion", asked.kind->kind.ApiVersion()},
                   {"kind", asked.kind->kind.kind},
                   {"spec", json::object()},
                   {"status",
                    {{"resourceRules", WriteRules(resources)},
                     {"nonResourceRules", WriteRules(urls)},
                     {"incomplete", false}}}};
  if (!held.problems.empty()) {
    const bool one = held.problems.size() == 1;
    const std::string all = fmt::format("{}", fmt::join(held.problems, ", "));
    answer.Status()["evaluationError"] = one ? all : "[" + all + "]";
  }
  return AnswerReview(std::move(answer));
}

}  // namespace millwright::apiserver
