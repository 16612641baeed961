// Nobody can grant rights that they do not hold.
#pragma once

#include "apiserver/auth/authz/authorizer.h"
#include "apiserver/rest/admission.h"

namespace millwright::apiserver {

// Refuses roles and bindings that would give away more than their writer has, unless the writer may
// `escalate` that role or `bind` it.
class EscalationStep final : public AdmissionStep {
 public:
  // The authorizer outlives it.
  explicit EscalationStep(Authorizer& authorizer) : authorizer_(authorizer) {}

  Task<Result<void>> Validate(const Admittance& about, const boost::json::value* object,
                              std::vector<std::string>& warnings) override;

 private:
  Result<void> CheckRole(const Admittance& about, const boost::json::value& object);
  Result<void> CheckBinding(const Admittance& about, const boost::json::value& object);
  // 403 if the user lacks some of these in the place of the request.
  Result<void> CheckHeld(const Admittance& about, const PolicyRules& rules);

  Authorizer& authorizer_;
};

}  // namespace millwright::apiserver
