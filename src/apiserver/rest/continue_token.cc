#include "apiserver/rest/continue_token.h"

#include <array>

#include <boost/beast/core/detail/base64.hpp>
#include <boost/json.hpp>

#include "apiserver/rest/failures.h"
#include "kube/api/json_text.h"

namespace millwright::apiserver {

namespace json = boost::json;
namespace base64 = boost::beast::detail::base64;

std::string ContinueToken::Encode() const {
  const std::string text = json::serialize(
      json::object{{"v", "meta.k8s.io/v1"}, {"rv", revision}, {"start", start_after}});
  std::string token(base64::encoded_size(text.size()), '\0');
  token.resize(base64::encode(token.data(), text.data(), text.size()));
  for (char& c : token) {  // the alphabet that needs no escapes in a URL
    if (c == '+') c = '-';
    if (c == '/') c = '_';
  }
  while (token.ends_with('=')) token.pop_back();
  return token;
}

Result<ContinueToken> ContinueToken::Decode(std::string_view text) {
  const auto bad = [] { return BadRequest("continue key is not valid: it is not one of ours"); };
  std::string plain(text);
  for (char& c : plain) {
    if (c == '-') c = '+';
    if (c == '_') c = '/';
  }
  while (plain.size() % 4 != 0) plain += '=';
  std::string decoded(base64::decoded_size(plain.size()), '\0');
  decoded.resize(base64::decode(decoded.data(), plain.data(), plain.size()).first);
  const auto value = kube::ParseJson(decoded);
  if (!value || kube::GetString(*value, "v") != "meta.k8s.io/v1") return bad();
  ContinueToken token{.revision = kube::GetInt(*value, "rv"),
                      .start_after = std::string(kube::GetString(*value, "start"))};
  if (token.revision <= 0 || token.start_after.empty()) return bad();
  return token;
}

}  // namespace millwright::apiserver
