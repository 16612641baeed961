#include "apiserver/auth/authn/es256.h"

#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/sha.h>

#include <memory>
#include <vector>

#include "apiserver/auth/pki/openssl.h"

namespace millwright::apiserver {

namespace {

constexpr int kHalf = 32;

using Context = std::unique_ptr<EVP_MD_CTX, OpensslFree<EVP_MD_CTX_free>>;
using Signature = std::unique_ptr<ECDSA_SIG, OpensslFree<ECDSA_SIG_free>>;

const unsigned char* Bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

std::string NumbersOf(const std::vector<unsigned char>& der) {
  const unsigned char* data = der.data();
  const Signature numbers(d2i_ECDSA_SIG(nullptr, &data, static_cast<long>(der.size())));
  RequireOpenssl(numbers != nullptr, "reading a signature");
  std::string both(2 * kHalf, '\0');
  auto* out = reinterpret_cast<unsigned char*>(both.data());
  const bool fits = BN_bn2binpad(ECDSA_SIG_get0_r(numbers.get()), out, kHalf) == kHalf &&
                    BN_bn2binpad(ECDSA_SIG_get0_s(numbers.get()), out + kHalf, kHalf) == kHalf;
  RequireOpenssl(fits, "writing a signature");
  return both;
}

std::vector<unsigned char> DerOf(std::string_view both) {
  const Signature numbers(ECDSA_SIG_new());
  BIGNUM* r = BN_bin2bn(Bytes(both), kHalf, nullptr);
  BIGNUM* s = BN_bin2bn(Bytes(both) + kHalf, kHalf, nullptr);
  RequireOpenssl(numbers != nullptr && ECDSA_SIG_set0(numbers.get(), r, s) == 1,
                 "reading a signature");
  std::vector<unsigned char> der(static_cast<std::size_t>(i2d_ECDSA_SIG(numbers.get(), nullptr)));
  unsigned char* data = der.data();
  i2d_ECDSA_SIG(numbers.get(), &data);
  return der;
}

}  // namespace

std::string SignEs256(std::string_view text, const PrivateKey& key) {
  const Context context(EVP_MD_CTX_new());
  std::size_t size = 0;
  const bool sized =
      EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, key.get()) == 1 &&
      EVP_DigestSign(context.get(), nullptr, &size, Bytes(text), text.size()) == 1;
  RequireOpenssl(sized, "signing");
  std::vector<unsigned char> der(size);
  RequireOpenssl(EVP_DigestSign(context.get(), der.data(), &size, Bytes(text), text.size()) == 1,
                 "signing");
  der.resize(size);
  return NumbersOf(der);
}

bool VerifyEs256(std::string_view text, std::string_view signature, const PrivateKey& key) {
  if (signature.size() != 2 * kHalf) return false;
  const std::vector<unsigned char> der = DerOf(signature);
  const Context context(EVP_MD_CTX_new());
  const bool good =
      EVP_DigestVerifyInit(context.get(), nullptr, EVP_sha256(), nullptr, key.get()) == 1 &&
      EVP_DigestVerify(context.get(), der.data(), der.size(), Bytes(text), text.size()) == 1;
  ERR_clear_error();
  return good;
}

std::string Sha256(std::string_view bytes) {
  std::string hash(SHA256_DIGEST_LENGTH, '\0');
  SHA256(Bytes(bytes), bytes.size(), reinterpret_cast<unsigned char*>(hash.data()));
  return hash;
}

}  // namespace millwright::apiserver
