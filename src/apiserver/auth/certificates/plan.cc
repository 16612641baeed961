#include "apiserver/auth/certificates/plan.h"

#include <boost/json.hpp>

#include "apiserver/auth/authz/policy_rule.h"
#include "apiserver/auth/certificates/request_object.h"
#include "apiserver/auth/certificates/signer_rules.h"
#include "kube/api/json_text.h"

namespace millwright::apiserver {

namespace {

using Action = RequestStep::Action;

RequestStep PlanApproval(const boost::json::value& object, const SigningRequest& request,
                         const MayCreate& may_create) {
  const User requester = RequesterOf(object);
  if (requester.name == request.common_name && may_create(requester, "selfnodeclient")) {
    return {Action::kApprove,
            "Auto approving self kubelet client certificate after SubjectAccessReview."};
  }
  if (may_create(requester, "nodeclient")) {
    return {Action::kApprove,
            "Auto approving kubelet client certificate after SubjectAccessReview."};
  }
  return {};
}

}  // namespace

RequestStep PlanRequest(const boost::json::value& object, const MayCreate& may_create) {
  const std::string_view signer = kube::GetString(object, "spec.signerName");
  const bool done = !kube::GetString(object, "status.certificate").empty() ||
                    HasCondition(object, "Denied") || HasCondition(object, "Failed");
  if (done || !IsOurSigner(signer)) return {};
  const auto request = RequestIn(object);
  if (!request) return {};  // was refused when it was created
  const auto fits = CheckForSigner(signer, *request, ReadTexts(kube::Find(object, "spec.usages")));
  if (HasCondition(object, "Approved")) {
    if (fits) return {Action::kSign};
    return {Action::kFail, fits.error().message()};
  }
  if (signer == kKubeletClientSigner && fits) return PlanApproval(object, *request, may_create);
  return {};
}

}  // namespace millwright::apiserver
