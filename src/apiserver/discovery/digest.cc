#include "apiserver/discovery/digest.h"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/sha.h>

#include <array>

namespace millwright::apiserver {

namespace {

using Sha256 = std::array<unsigned char, SHA256_DIGEST_LENGTH>;

Sha256 Sha256Of(std::string_view bytes) {
  Sha256 digest{};
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest.data());
  return digest;
}

}  // namespace

std::string Digest(std::string_view bytes) {
  std::string text;
  for (const unsigned char byte : Sha256Of(bytes))
    fmt::format_to(std::back_inserter(text), "{:02X}", byte);
  return text;
}

std::string StorageVersionHash(const kube::GroupVersionKind& stored_as) {
  constexpr int kKept = 8;
  const Sha256 digest = Sha256Of(stored_as.group + "/" + stored_as.version + "/" + stored_as.kind);
  std::array<unsigned char, 4 * ((kKept + 2) / 3) + 1> text{};
  const int length = EVP_EncodeBlock(text.data(), digest.data(), kKept);
  return {text.begin(), text.begin() + length};
}

}  // namespace millwright::apiserver
