#include "apiserver/auth/authn/jwt.h"

#include <boost/json.hpp>

#include "apiserver/auth/authn/base64url.h"
#include "apiserver/auth/authn/es256.h"
#include "kube/api/json_text.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

// Ours have less than a kilobyte.
constexpr std::size_t kMaxBytes = std::size_t{16} << 10U;
constexpr kube::JsonLimits kLimits = {.max_bytes = kMaxBytes, .max_depth = 16};

Failure NotAToken() { return Fail(ErrorKind::kInvalid, "not a JSON web token"); }

Result<json::value> ReadPart(std::string_view part) {
  const auto text = DecodeBase64Url(part);
  if (!text) return NotAToken();
  auto value = kube::ParseJson(*text, kLimits);
  if (!value || !value->is_object()) return NotAToken();
  return value;
}

}  // namespace

Result<Jwt> ParseJwt(std::string_view token) {
  if (token.size() > kMaxBytes) return NotAToken();
  const auto first = token.find('.');
  const auto last = token.rfind('.');
  if (first == last || token.find('.', first + 1) != last) return NotAToken();
  Jwt jwt{.header = {},
          .claims = {},
          .signed_part = std::string(token.substr(0, last)),
          .signature = {}};
  TRY(jwt.header, ReadPart(token.substr(0, first)));
  TRY(jwt.claims, ReadPart(token.substr(first + 1, last - first - 1)));
  auto signature = DecodeBase64Url(token.substr(last + 1));
  if (!signature) return NotAToken();
  jwt.signature = *std::move(signature);
  return jwt;
}

std::string SignJwt(const json::object& claims, const PrivateKey& key) {
  const json::object header{{"alg", "ES256"}, {"kid", KeyIdOf(key)}};
  const std::string text =
      EncodeBase64Url(json::serialize(header)) + "." + EncodeBase64Url(json::serialize(claims));
  return text + "." + EncodeBase64Url(SignEs256(text, key));
}

bool IsSignedBy(const Jwt& token, const PrivateKey& key) {
  if (kube::GetString(token.header, "alg") != "ES256") return false;
  if (kube::Find(token.header, "crit") != nullptr) return false;
  const json::value* key_id = kube::Find(token.header, "kid");
  if (key_id != nullptr && kube::GetString(token.header, "kid") != KeyIdOf(key)) return false;
  return VerifyEs256(token.signed_part, token.signature, key);
}

std::string KeyIdOf(const PrivateKey& key) {
  unsigned char* data = nullptr;
  const int size = i2d_PUBKEY(key.get(), &data);
  RequireOpenssl(size > 0, "writing a public key");
  const std::string der(reinterpret_cast<const char*>(data), static_cast<std::size_t>(size));
  OPENSSL_free(data);
  return EncodeBase64Url(Sha256(der));
}

}  // namespace millwright::apiserver
