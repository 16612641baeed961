// X.509 certificates: what stands in one, making one, reading one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/auth/pki/openssl.h"
#include "apiserver/auth/pki/private_key.h"
#include "base/random.h"
#include "base/result.h"
#include "base/time.h"

namespace millwright::apiserver {

struct AlternativeNames {
  std::vector<std::string> dns_names = {};
  std::vector<std::string> ip_addresses = {};  // as text; one that is none is left out
  std::vector<std::string> emails = {};
  std::vector<std::string> uris = {};

  friend bool operator==(const AlternativeNames&, const AlternativeNames&) = default;
};

struct CertificatePlan {
  std::string common_name;
  std::vector<std::string> organizations = {};
  AlternativeNames names = {};
  // In the words of a CertificateSigningRequest: "digital signature", "client auth". Words that
  // mean nothing here are passed over.
  std::vector<std::string> usages = {};
  bool authority = false;
  WallTime begins{};
  WallTime ends{};
};

// Copies share the certificate.
class Certificate {
 public:
  explicit Certificate(OwnedX509 certificate) : certificate_(std::move(certificate)) {}
  // The first certificate of a PEM text. kInvalid.
  static Result<Certificate> Parse(std::string_view pem);

  std::string Pem() const;
  WallTime begins() const;
  WallTime ends() const;
  bool BelongsTo(const PrivateKey& key) const;
  // Its signature is by the authority's key. Says nothing about its time.
  bool IsSignedBy(const Certificate& authority) const;
  X509* get() const { return certificate_.get(); }

 private:
  std::shared_ptr<X509> certificate_;
};

// Whom a certificate is signed by.
struct Authority {
  Certificate certificate;
  PrivateKey key;
};

// An authority that vouches for itself.
Certificate MakeAuthority(const CertificatePlan& plan, const PrivateKey& key, Random& random);

// For the holder of the key that belongs to `public_key`. Ends no later than the authority does.
Certificate IssueCertificate(const CertificatePlan& plan, EVP_PKEY* public_key,
                             const Authority& authority, Random& random);

}  // namespace millwright::apiserver
