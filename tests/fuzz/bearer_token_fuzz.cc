// Tokens as somebody would guess and forge them: none may be believed, and what is taken apart must
// be what was put together.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include <boost/json.hpp>

#include "apiserver/auth/authn/base64url.h"
#include "apiserver/auth/authn/bearer.h"
#include "apiserver/auth/authn/bootstrap_token.h"
#include "apiserver/auth/authn/jwt.h"
#include "apiserver/auth/authn/token_authority.h"
#include "apiserver/auth/pki/signing_request.h"

namespace {

using namespace millwright;             // NOLINT(google-build-using-namespace)
using namespace millwright::apiserver;  // NOLINT(google-build-using-namespace)

void TryHeader(std::string_view text) {
  const net::Headers headers{{"Authorization", std::string(text)}};
  const auto token = BearerTokenOf(headers);
  if (!token) return;
  if (token->empty() || token->find(' ') != token->npos) std::abort();
  if (const auto bootstrap = ParseBootstrapToken(*token)) {
    if (std::string(bootstrap->id) + "." + std::string(bootstrap->secret) != *token) std::abort();
  }
}

void TryToken(std::string_view text) {
  static const TokenAuthority kAuthority(PrivateKey::Generate());
  if (kAuthority.Read(text)) std::abort();
  const auto jwt = ParseJwt(text);
  if (!jwt) return;
  if (!text.starts_with(jwt->signed_part) ||
      text.substr(jwt->signed_part.size() + 1) != EncodeBase64Url(jwt->signature)) {
    std::abort();
  }
}

// What is signed may be anything, too: then it is read as it was written.
void TryClaims(std::string_view text) {
  boost::json::error_code error;
  const boost::json::value value = boost::json::parse(text, error);
  if (error) return;
  const auto claims = ReadClaims(value);
  if (!claims) return;
  const auto again = ReadClaims(WriteClaims(*claims));
  if (!again || *again != *claims) std::abort();
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  TryHeader(text);
  TryHeader("Bearer " + std::string(text));
  TryToken(text);
  TryClaims(text);
  // The text as the claims of an unsigned token.
  TryToken("e30." + EncodeBase64Url(text) + ".");
  const auto decoded = DecodeBase64Url(text);
  if (decoded && EncodeBase64Url(*decoded) != text) std::abort();
  if (DecodeBase64Url(EncodeBase64Url(text)) != text) std::abort();
  (void)ParseSigningRequest(text);
  (void)ParseSigningRequest("-----BEGIN CERTIFICATE REQUEST-----\n" + std::string(text) +
                            "\n-----END CERTIFICATE REQUEST-----\n");
  return 0;
}
