#include "apiserver/auth/pki/signing_request.h"

#include <openssl/err.h>
#include <openssl/pem.h>

#include "net/server_identity.h"

namespace millwright::apiserver {

namespace {

void FreeExtensions(STACK_OF(X509_EXTENSION) * extensions) {
  sk_X509_EXTENSION_pop_free(extensions, X509_EXTENSION_free);
}
using Extensions = std::unique_ptr<STACK_OF(X509_EXTENSION), OpensslFree<FreeExtensions>>;

// A certificate with nothing but the request's names, so that both are read by the same code.
OwnedX509 NamesOnly(X509_REQ* request) {
  OwnedX509 holder(X509_new());
  RequireOpenssl(holder != nullptr && X509_set_version(holder.get(), X509_VERSION_3) == 1 &&
                     X509_set_subject_name(holder.get(), X509_REQ_get_subject_name(request)) == 1,
                 "reading a request");
  const Extensions extensions(X509_REQ_get_extensions(request));
  for (int i = 0; extensions && i < sk_X509_EXTENSION_num(extensions.get()); ++i) {
    X509_EXTENSION* extension = sk_X509_EXTENSION_value(extensions.get(), i);
    const int kind = OBJ_obj2nid(X509_EXTENSION_get_object(extension));
    if (kind == NID_subject_alt_name) X509_add_ext(holder.get(), extension, -1);
  }
  return holder;
}

}  // namespace

Result<SigningRequest> ParseSigningRequest(std::string_view pem) {
  const OwnedRequest request(PEM_read_bio_X509_REQ(BioOver(pem).get(), nullptr, nullptr, nullptr));
  EVP_PKEY* key = request == nullptr ? nullptr : X509_REQ_get0_pubkey(request.get());
  const bool is_signed = key != nullptr && X509_REQ_verify(request.get(), key) == 1;
  ERR_clear_error();
  if (request == nullptr) {
    return Fail(ErrorKind::kInvalid, "PEM block type must be CERTIFICATE REQUEST");
  }
  if (!is_signed) return Fail(ErrorKind::kInvalid, "the request is not signed by its own key");
  EVP_PKEY_up_ref(key);
  net::PeerIdentity names = net::NamesIn(*NamesOnly(request.get()));
  ERR_clear_error();
  return SigningRequest{.common_name = std::move(names.common_name),
                        .organizations = std::move(names.organizations),
                        .names = {.dns_names = std::move(names.dns_names),
                                  .ip_addresses = std::move(names.ip_addresses),
                                  .emails = std::move(names.emails),
                                  .uris = std::move(names.uris)},
                        .public_key = OwnedKey(key)};
}

Certificate SignRequest(const SigningRequest& request, CertificatePlan plan,
                        const Authority& authority, Random& random) {
  plan.common_name = request.common_name;
  plan.organizations = request.organizations;
  plan.names = request.names;
  return IssueCertificate(plan, request.public_key.get(), authority, random);
}

}  // namespace millwright::apiserver
