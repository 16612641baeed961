// OpenSSL's objects with owners.
#pragma once

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <memory>
#include <string>
#include <string_view>

namespace millwright::apiserver {

template <auto Free>
struct OpensslFree {
  void operator()(auto* pointer) const { Free(pointer); }
};

using OwnedBio = std::unique_ptr<BIO, OpensslFree<BIO_free_all>>;
using OwnedKey = std::unique_ptr<EVP_PKEY, OpensslFree<EVP_PKEY_free>>;
using OwnedX509 = std::unique_ptr<X509, OpensslFree<X509_free>>;
using OwnedRequest = std::unique_ptr<X509_REQ, OpensslFree<X509_REQ_free>>;
using OwnedName = std::unique_ptr<X509_NAME, OpensslFree<X509_NAME_free>>;
using OwnedNames = std::unique_ptr<GENERAL_NAMES, OpensslFree<GENERAL_NAMES_free>>;

// For steps that fail only for lack of memory or by a bug of ours: throws. Also empties OpenSSL's
// list of errors, which would otherwise be blamed on whoever looks at it next.
void RequireOpenssl(bool ok, std::string_view doing);

// What `write` puts into it.
template <class Write>
std::string TextFromBio(const Write& write) {
  const OwnedBio bio(BIO_new(BIO_s_secmem()));
  RequireOpenssl(bio != nullptr && write(bio.get()) == 1, "writing PEM");
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &data);
  return {data, static_cast<std::size_t>(size)};
}

// Reads the text and cannot be written to; the text has to outlive it.
OwnedBio BioOver(std::string_view text);

}  // namespace millwright::apiserver
