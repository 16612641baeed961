#include "apiserver/auth/reviews/review.h"

#include <boost/json.hpp>

#include "apiserver/rest/body.h"
#include "apiserver/rest/change.h"
#include "apiserver/rest/failures.h"
#include "apiserver/rest/fit.h"
#include "apiserver/rest/object_text.h"
#include "apiserver/rest/options.h"
#include "kube/api/apply.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

constexpr int kCreated = 201;

// Writes down who sent it. What cannot be written down is not: the answer is what counts.
void TakeOwnership(const Services& services, const Call& call, std::string manager,
                   Review& review) {
  const Resource& kind = *review.kind;
  const kube::SchemaPtr schema = kind.schema();
  kube::OwnershipRules rules = kube::MainRules(schema.get(), false);
  rules.blank = {{"apiVersion", kind.kind.ApiVersion()}, {"kind", kind.kind.kind}};
  if (kind.rules.normalize) (void)kind.rules.normalize(rules.blank);
  (void)kube::UpdateManagedFields(rules, nullptr, review.object,
                                  {.manager = std::move(manager),
                                   .api_version = kind.kind.ApiVersion(),
                                   .subresource = call.place.subresource,
                                   .time = services.clock.Now()});
}

}  // namespace

json::object& Review::Member(std::string_view name) {
  json::value& member = object.get_object()[name];
  if (!member.is_object()) member = json::object();
  return member.get_object();
}

Result<Review> ReadReview(const Services& services, const Call& call, ResourcePtr kind) {
  TRY(const auto options, ReadWriteOptions(call.target, "CreateOptions"));
  StrictFindings findings;
  Review review{.kind = std::move(kind), .object = {}};
  TRY(review.object, DecodeObject(services, call, findings));
  CHECK_OK(CheckKind(*review.kind, review.object));
  CHECK_OK(PruneAndDefault(*review.kind, review.object, findings));
  CHECK_OK(JudgeFindings(findings, options.field_validation, review.warnings));
  TakeOwnership(services, call, FieldManagerOf(call, options), review);
  review.object.get_object().erase("status");
  return review;
}

Result<Answer> AnswerReview(Review review) {
  if (review.kind->rules.normalize) CHECK_OK(review.kind->rules.normalize(review.object));
  return Answer{
      .code = kCreated, .text = WriteObject(review.object), .warnings = std::move(review.warnings)};
}

Result<void> CheckErrors(const Review& review, const std::vector<kube::FieldError>& errors) {
  if (errors.empty()) return Ok();
  return InvalidObject(*review.kind, "", errors);
}

json::object WriteUser(const User& user) {
  json::object object{{"username", user.name}};
  if (!user.uid.empty()) object["uid"] = user.uid;
  if (!user.groups.empty()) object["groups"] = json::value_from(user.groups);
  if (!user.extra.empty()) object["extra"] = json::value_from(user.extra);
  return object;
}

}  // namespace millwright::apiserver
