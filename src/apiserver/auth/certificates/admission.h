// The rules for CertificateSigningRequests: whose they are, and who may approve and sign them.
#pragma once

#include "apiserver/auth/authz/authorizer.h"
#include "apiserver/rest/admission.h"
#include "base/clock.h"

namespace millwright::apiserver {

// Writes into a new request who asks, refuses one that is not signed by its own key, and lets only
// those approve and sign who may do so for its signer.
class CertificateRequestStep final : public AdmissionStep {
 public:
  // Both outlive it.
  CertificateRequestStep(Authorizer& authorizer, const Clock& clock)
      : authorizer_(authorizer), clock_(clock) {}

  Task<Result<void>> Mutate(const Admittance& about, boost::json::value* object,
                            std::vector<std::string>& warnings) override;
  Task<Result<void>> Validate(const Admittance& about, const boost::json::value* object,
                              std::vector<std::string>& warnings) override;

 private:
  Result<void> CheckMay(const Admittance& about, std::string_view verb);

  Authorizer& authorizer_;
  const Clock& clock_;
};

}  // namespace millwright::apiserver
