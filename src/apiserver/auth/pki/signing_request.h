// Requests for certificates (PKCS #10): what somebody wants to be called, and proof that they hold
// the key.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/auth/pki/certificate.h"
#include "apiserver/auth/pki/openssl.h"
#include "base/result.h"

namespace millwright::apiserver {

// Copies share the key.
struct SigningRequest {
  std::string common_name = {};
  std::vector<std::string> organizations = {};
  AlternativeNames names = {};
  std::shared_ptr<EVP_PKEY> public_key = {};
};

// kInvalid if the text holds no request, or one that its key did not sign.
Result<SigningRequest> ParseSigningRequest(std::string_view pem);

// For the names that the request asks for; whether they may be had is up to the caller. The plan
// says the usages and the time.
Certificate SignRequest(const SigningRequest& request, CertificatePlan plan,
                        const Authority& authority, Random& random);

}  // namespace millwright::apiserver
