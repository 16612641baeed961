#include "apiserver/auth/pki/openssl.h"

#include <openssl/err.h>

#include <stdexcept>

namespace millwright::apiserver {

void RequireOpenssl(bool ok, std::string_view doing) {
  if (ok) return;
  std::string reason = "no reason given";
  if (const unsigned long code = ERR_get_error(); code != 0) {
    if (const char* text = ERR_reason_error_string(code); text != nullptr) reason = text;
  }
  ERR_clear_error();
  throw std::runtime_error("OpenSSL: " + std::string(doing) + ": " + reason);
}

OwnedBio BioOver(std::string_view text) {
  OwnedBio bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
  RequireOpenssl(bio != nullptr, "reading PEM");
  return bio;
}

}  // namespace millwright::apiserver
