#include "apiserver/auth/reviews/identity_reviews.h"

#include <boost/json.hpp>

#include "apiserver/auth/authz/policy_rule.h"
#include "apiserver/auth/reviews/review.h"
#include "apiserver/rest/failures.h"
#include "kube/api/json_text.h"

namespace millwright::apiserver {

namespace json = boost::json;

Result<Answer> ReviewSelf(const Services& services, const Call& call) {
  TRY(Review asked, ReadReview(services, call, call.resource));
  Review answer{.kind = asked.kind, .object = json::object(), .warnings = asked.warnings};
  answer.object = {{"apiVersion", asked.kind->kind.ApiVersion()},
                   {"kind", asked.kind->kind.kind},
                   {"metadata", {{"creationTimestamp", FormatTime(services.clock.Now())}}},
                   {"status", {{"userInfo", WriteUser(call.user)}}}};
  return AnswerReview(std::move(answer));
}

Result<Answer> ReviewToken(const Services& services, const Call& call,
                           const Authenticator& authenticator) {
  TRY(Review review, ReadReview(services, call, call.resource));
  const std::string token(kube::GetString(review.object, "spec.token"));
  if (token.empty()) return BadRequest("token is required for TokenReview in authentication");
  std::vector<std::string> audiences = ReadTexts(kube::Find(review.object, "spec.audiences"));
  if (audiences.empty()) audiences = DefaultAudiences();
  const auto identity = authenticator.AuthenticateToken(token, audiences);
  json::object& status = review.Status();
  if (identity) {
    status["authenticated"] = true;
    status["user"] = WriteUser(identity->user);
    status["audiences"] = json::value_from(identity->audiences);
  } else {
    const bool unknown = identity.error().kind() == ErrorKind::kNotFound;
    status["error"] = unknown ? identity.error().message()
                              : "[invalid bearer token, " + identity.error().message() + "]";
  }
  return AnswerReview(std::move(review));
}

}  // namespace millwright::apiserver
