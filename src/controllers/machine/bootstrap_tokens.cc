#include "controllers/machine/bootstrap_tokens.h"

#include <fmt/format.h>
#include <openssl/sha.h>
#include <boost/json.hpp>

#include "base/base64.h"

namespace millwright::controllers {

namespace json = boost::json;

namespace {

const kube::GroupVersionResource kSecrets{"", "v1", "secrets"};
constexpr std::string_view kDigits = "0123456789abcdefghijklmnopqrstuvwxyz";
constexpr int kAttempts = 4;
constexpr std::string_view kMachineAnnotation = "millwright.dev/machine-uid";

kube::ObjectKey KeyOf(const std::string& id) { return {"kube-system", "bootstrap-token-" + id}; }

std::string OwnerOf(const json::value& secret) {
  boost::system::error_code missing;
  const json::value* uid = secret.find_pointer(
      fmt::format("/metadata/annotations/{}", "millwright.dev~1machine-uid"), missing);
  return uid != nullptr && uid->is_string() ? std::string(uid->as_string()) : std::string();
}

Result<SecretText> SecretOf(const json::value& secret) {
  boost::system::error_code missing;
  const json::value* data = secret.find_pointer("/data/token-secret", missing);
  if (data == nullptr || !data->is_string()) {
    return Fail(ErrorKind::kInvalid, "the bootstrap token's Secret has no token-secret");
  }
  auto text = DecodeBase64(std::string_view(data->as_string()));
  if (!text) return Fail(ErrorKind::kInvalid, "the bootstrap token's Secret is not base64");
  return SecretText(*std::move(text));
}

}  // namespace

std::string TokenId(const Uid& machine, int attempt) {
  const std::string text = fmt::format("{}/{}", machine.str(), attempt);
  unsigned char digest[SHA256_DIGEST_LENGTH];
  SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest);
  std::uint64_t number = 0;
  for (int i = 0; i < 8; ++i) number = (number << 8) | digest[i];
  std::string id;
  for (int i = 0; i < 6; ++i, number /= kDigits.size()) id += kDigits[number % kDigits.size()];
  return id;
}

std::string BootstrapTokens::NewSecret() {
  std::string secret;
  for (int i = 0; i < 16; ++i) secret += kDigits[random_.Below(kDigits.size())];
  return secret;
}

Task<Result<SecretText>> BootstrapTokens::Take(Uid machine, std::string name, Duration lasts) {
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const std::string id = TokenId(machine, attempt);
    const kube::ObjectKey key = KeyOf(id);
    const std::string secret = NewSecret();
    json::object values{{"token-id", id},
                        {"token-secret", secret},
                        {"description", "Bootstrap token for machine " + name},
                        {"expiration", FormatTime(clock_.Now() + lasts)},
                        {"usage-bootstrap-authentication", "true"},
                        {"usage-bootstrap-signing", "true"}};
    if (!groups_.empty()) values["auth-extra-groups"] = groups_;
    const json::object body{{"apiVersion", "v1"},
                            {"kind", "Secret"},
                            {"metadata",
                             {{"name", key.name},
                              {"namespace", key.namespace_},
                              {"annotations", json::object{{kMachineAnnotation, machine.str()}}}}},
                            {"type", "bootstrap.kubernetes.io/token"},
                            {"stringData", std::move(values)}};
    auto created = co_await target_.Create(kSecrets, key, json::serialize(body));
    if (created) {
      CO_TRY(const kube::Meta meta, created->ReadMeta());
      made_.insert_or_assign(machine, Made{.attempt = attempt, .object = meta.uid});
      co_return SecretText(id + "." + secret);
    }
    if (created.error().kind() != ErrorKind::kAlreadyExists) {
      co_return Failure(std::move(created).error().Wrap("making the bootstrap token"));
    }
    CO_TRY(const auto found, co_await target_.Find(kSecrets, key));
    if (!found) continue;
    CO_TRY(const json::value existing, found->Tree());
    if (OwnerOf(existing) != machine.str()) continue;
    CO_TRY(const SecretText kept, SecretOf(existing));
    co_return SecretText(id + "." + kept.Reveal());
  }
  co_return Fail(ErrorKind::kConflict,
                 "every bootstrap token id of machine " + name + " is taken by another machine");
}

Task<Result<void>> BootstrapTokens::Drop(Uid machine, std::string name) {
  if (const auto made = made_.extract(machine)) {
    const auto [attempt, object] = made.mapped();
    co_return co_await target_.Delete(kSecrets, KeyOf(TokenId(machine, attempt)), {.uid = object});
  }
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const kube::ObjectKey key = KeyOf(TokenId(machine, attempt));
    // Without a look first, it could be another machine's; but only a later id can be ours if the
    // first is not.
    CO_TRY(const auto found, co_await target_.Find(kSecrets, key));
    if (!found) co_return Ok();
    CO_TRY(const json::value existing, found->Tree());
    if (OwnerOf(existing) != machine.str()) continue;
    CO_TRY(const kube::Meta meta, found->ReadMeta());
    co_return co_await target_.Delete(kSecrets, key, {.uid = meta.uid});
  }
  co_return Ok();
}

}  // namespace millwright::controllers
