// Approves and signs requests for certificates, as they come.
#pragma once

#include "apiserver/auth/authz/authorizer.h"
#include "apiserver/auth/certificates/plan.h"
#include "apiserver/auth/pki/pki.h"
#include "apiserver/rest/call.h"

namespace millwright::apiserver {

class CertificateSigner {
 public:
  // All of it outlives the signer. The authority is read anew for each certificate.
  CertificateSigner(const Services& services, Authorizer& authorizer, const Pki& pki)
      : services_(services), authorizer_(authorizer), pki_(pki) {}

  // Until it is cancelled.
  Task<void> Run();

 private:
  // Looks at all requests there are, then at each that changes. Ends when it has to begin again.
  Task<void> Follow();
  Task<Result<void>> Handle(const Record& record);
  // The object after its next step; the same if there is none.
  Result<boost::json::value> Advance(const boost::json::value& object);
  Result<std::string> Sign(const boost::json::value& object);
  bool MayCreate(const User& user, std::string_view subresource);

  const Services& services_;
  Authorizer& authorizer_;
  const Pki& pki_;
};

}  // namespace millwright::apiserver
