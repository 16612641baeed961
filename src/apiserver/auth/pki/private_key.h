// Private keys: ECDSA on P-256, small and quick to make and to use.
#pragma once

#include <string_view>

#include "apiserver/auth/pki/openssl.h"
#include "base/result.h"
#include "base/secret.h"

namespace millwright::apiserver {

// Copies share the key.
class PrivateKey {
 public:
  // From OpenSSL's own generator: no seed can replay it.
  static PrivateKey Generate();
  // The first private key of a PEM text. kInvalid, and never a word of the text.
  static Result<PrivateKey> Parse(std::string_view pem);

  SecretText Pem() const;
  EVP_PKEY* get() const { return key_.get(); }
  // On the curve that our certificates and tokens use.
  bool IsP256() const;

 private:
  explicit PrivateKey(OwnedKey key) : key_(std::move(key)) {}

  std::shared_ptr<EVP_PKEY> key_;
};

}  // namespace millwright::apiserver
