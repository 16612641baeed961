#include "apiserver/auth/pki/private_key.h"

#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/pem.h>

#include <array>

namespace millwright::apiserver {

namespace {

// Instead of a question at the terminal.
int NoPassword(char*, int, int, void*) { return -1; }

}  // namespace

PrivateKey PrivateKey::Generate() {
  OwnedKey key(EVP_EC_gen("P-256"));
  RequireOpenssl(key != nullptr, "making a key");
  return PrivateKey(std::move(key));
}

Result<PrivateKey> PrivateKey::Parse(std::string_view pem) {
  OwnedKey key(PEM_read_bio_PrivateKey(BioOver(pem).get(), nullptr, NoPassword, nullptr));
  ERR_clear_error();
  if (key == nullptr) return Fail(ErrorKind::kInvalid, "there is no private key in PEM form");
  return PrivateKey(std::move(key));
}

SecretText PrivateKey::Pem() const {
  return SecretText(TextFromBio([this](BIO* bio) {
    return PEM_write_bio_PKCS8PrivateKey(bio, get(), nullptr, nullptr, 0, nullptr, nullptr);
  }));
}

bool PrivateKey::IsP256() const {
  std::array<char, 64> name{};
  std::size_t length = 0;
  const bool has_name = EVP_PKEY_get_group_name(get(), name.data(), name.size(), &length) == 1;
  ERR_clear_error();
  return has_name && std::string_view(name.data(), length) == "prime256v1";
}

}  // namespace millwright::apiserver
