#include "apiserver/auth/authn/bearer.h"

#include <openssl/crypto.h>

#include <algorithm>

namespace millwright::apiserver {

namespace {

constexpr std::string_view kSpace = " \t\r\n";

std::string_view Trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

bool IsBearer(std::string_view scheme) {
  return std::ranges::equal(scheme, std::string_view("bearer"), [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
  });
}

}  // namespace

std::optional<std::string_view> BearerTokenOf(const net::Headers& headers) {
  const auto field = headers.Find("Authorization");
  if (!field) return std::nullopt;
  const std::string_view text = Trimmed(*field);
  const auto space = text.find(' ');
  if (space == std::string_view::npos || !IsBearer(text.substr(0, space))) return std::nullopt;
  const std::string_view rest = text.substr(space + 1);
  const std::string_view token = rest.substr(0, rest.find(' '));
  if (token.empty()) return std::nullopt;
  return token;
}

bool SecretsEqual(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace millwright::apiserver
