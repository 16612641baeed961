// For tests: requests for certificates.
#pragma once

#include <openssl/pem.h>

#include <string>

#include "apiserver/auth/pki/private_key.h"
#include "apiserver/auth/pki/signing_request.h"

namespace millwright::apiserver {

struct TestRequest {
  std::string common_name;
  std::vector<std::string> organizations = {};
  std::string alternative_names = {};  // "DNS:a,IP:1.2.3.4"
};

inline std::string MakeRequestPem(const TestRequest& wanted,
                                  const PrivateKey& key = PrivateKey::Generate()) {
  const OwnedRequest request(X509_REQ_new());
  X509_NAME* subject = X509_REQ_get_subject_name(request.get());
  const auto add = [&](const char* field, const std::string& value) {
    X509_NAME_add_entry_by_txt(subject, field, MBSTRING_UTF8,
                               reinterpret_cast<const unsigned char*>(value.c_str()), -1, -1, 0);
  };
  for (const std::string& organization : wanted.organizations) add("O", organization);
  add("CN", wanted.common_name);
  if (!wanted.alternative_names.empty()) {
    STACK_OF(X509_EXTENSION)* extensions = sk_X509_EXTENSION_new_null();
    sk_X509_EXTENSION_push(extensions, X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name,
                                                           wanted.alternative_names.c_str()));
    X509_REQ_add_extensions(request.get(), extensions);
    sk_X509_EXTENSION_pop_free(extensions, X509_EXTENSION_free);
  }
  X509_REQ_set_pubkey(request.get(), key.get());
  X509_REQ_sign(request.get(), key.get(), EVP_sha256());
  return TextFromBio([&](BIO* bio) { return PEM_write_bio_X509_REQ(bio, request.get()); });
}

}  // namespace millwright::apiserver
