// The node's private key and what proves that it is its.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "base/secret.h"
#include "base/time.h"

namespace millwright::agent {

// ECDSA on P-256, as PEM.
SecretText MakePrivateKey();

struct SigningRequest {
  std::string
      name;  // of the object: the same for the same key and node, so that asking again finds it
  std::string pem;
};

// Asks to be the node of that name. kInvalid for a key that is none.
Result<SigningRequest> MakeSigningRequest(const SecretText& key, const std::string& node);

struct Validity {
  WallTime begins{};
  WallTime ends{};
};

// Of the first certificate in a PEM text; kInvalid if the key is not its.
Result<Validity> ValidityOf(std::string_view certificate, const SecretText& key);

// When to ask for the next one: with a fifth of its life left.
WallTime RenewalOf(const Validity& validity);

}  // namespace millwright::agent
