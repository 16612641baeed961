#include "apiserver/auth/reviews/endpoints.h"

#include "apiserver/auth/reviews/access_reviews.h"
#include "apiserver/auth/reviews/identity_reviews.h"
#include "apiserver/auth/reviews/token_request.h"

namespace millwright::apiserver {

namespace {

Task<Result<Answer>> AtOnce(Result<Answer> answer) { co_return answer; }

}  // namespace

void AddReviewEndpoints(Authorizer& authorizer, const Authenticator& authenticator,
                        SpecialEndpoints& endpoints) {
  using Review = Result<Answer> (*)(const Services&, const Call&, Authorizer&);
  const auto add = [&](const char* plural, Review review) {
    endpoints[std::string("create authorization.k8s.io/") + plural] =
        [&authorizer, review](const Services& services, const Call& call) {
          return AtOnce(review(services, call, authorizer));
        };
  };
  add("localsubjectaccessreviews", ReviewLocalAccess);
  add("selfsubjectaccessreviews", ReviewOwnAccess);
  add("selfsubjectrulesreviews", ReviewOwnRules);
  add("subjectaccessreviews", ReviewAccess);
  endpoints["create authentication.k8s.io/selfsubjectreviews"] =
      [](const Services& services, const Call& call) { return AtOnce(ReviewSelf(services, call)); };
  endpoints["create authentication.k8s.io/tokenreviews"] =
      [&authenticator](const Services& services, const Call& call) {
        return AtOnce(ReviewToken(services, call, authenticator));
      };
  endpoints["create /serviceaccounts/token"] = [&authenticator](const Services& services,
                                                                const Call& call) {
    return AtOnce(RequestToken(services, call, authenticator.tokens()));
  };
}

}  // namespace millwright::apiserver
