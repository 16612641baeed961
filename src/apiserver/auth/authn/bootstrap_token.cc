#include "apiserver/auth/authn/bootstrap_token.h"

#include <algorithm>
#include <ranges>
#include <set>

#include <boost/json.hpp>

#include "apiserver/auth/authn/bearer.h"
#include "base/base64.h"
#include "kube/api/json_text.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

constexpr std::size_t kIdLength = 6;
constexpr std::size_t kSecretLength = 16;
constexpr std::string_view kGroup = "system:bootstrappers";

bool IsLowerOrDigit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

// Empty if there is no such entry.
std::string DataOf(const json::value& secret, std::string_view name) {
  const json::object* data = kube::GetObject(secret, "data");
  const json::value* value = data == nullptr ? nullptr : data->if_contains(name);
  if (value == nullptr || !value->is_string()) return {};
  return DecodeBase64(value->get_string()).value_or("");
}

bool HasExpired(const json::value& secret, WallTime now) {
  const std::string text = DataOf(secret, "expiration");
  if (text.empty()) return false;
  const auto end = ParseTime(text);
  return !end || now >= *end;
}

// "system:bootstrappers:worker:a-b".
bool IsGroup(std::string_view name) {
  constexpr std::size_t kMaxRest = 256;
  if (!name.starts_with(kGroup) || name.size() < kGroup.size() + 2) return false;
  name.remove_prefix(kGroup.size());
  if (!name.starts_with(':')) return false;
  name.remove_prefix(1);
  return name.size() <= kMaxRest && IsLowerOrDigit(name.back()) &&
         std::ranges::all_of(name,
                             [](char c) { return IsLowerOrDigit(c) || c == ':' || c == '-'; });
}

// None if one of them is not of that form: it could be a group that others have too.
std::optional<std::vector<std::string>> GroupsOf(const json::value& secret) {
  std::set<std::string> groups{std::string(kGroup)};
  const std::string text = DataOf(secret, "auth-extra-groups");
  if (text.empty()) return std::vector<std::string>(groups.begin(), groups.end());
  for (const auto part : std::views::split(text, ',')) {
    const std::string_view name(part.begin(), part.end());
    if (!IsGroup(name)) return std::nullopt;
    groups.emplace(name);
  }
  return std::vector<std::string>(groups.begin(), groups.end());
}

}  // namespace

std::optional<BootstrapToken> ParseBootstrapToken(std::string_view token) {
  if (token.size() != kIdLength + 1 + kSecretLength || token[kIdLength] != '.') return std::nullopt;
  const BootstrapToken parts{.id = token.substr(0, kIdLength),
                             .secret = token.substr(kIdLength + 1)};
  const bool valid = std::ranges::all_of(parts.id, IsLowerOrDigit) &&
                     std::ranges::all_of(parts.secret, IsLowerOrDigit);
  if (!valid) return std::nullopt;
  return parts;
}

std::string BootstrapSecretName(std::string_view id) {
  return "bootstrap-token-" + std::string(id);
}

std::optional<User> BootstrapUser(const BootstrapToken& token, const json::value& secret,
                                  WallTime now) {
  if (kube::Find(secret, "metadata.deletionTimestamp") != nullptr) return std::nullopt;
  if (kube::GetString(secret, "type") != "bootstrap.kubernetes.io/token") return std::nullopt;
  if (!SecretsEqual(DataOf(secret, "token-secret"), token.secret)) return std::nullopt;
  if (DataOf(secret, "token-id") != token.id || HasExpired(secret, now)) return std::nullopt;
  if (DataOf(secret, "usage-bootstrap-authentication") != "true") return std::nullopt;
  auto groups = GroupsOf(secret);
  if (!groups) return std::nullopt;
  return User{.name = "system:bootstrap:" + std::string(token.id), .groups = *std::move(groups)};
}

}  // namespace millwright::apiserver
