#include <system_error>

#include "apiserver/auth/pki/pki.h"
#include "apiserver/auth/pki/pki_parts.h"
#include "apiserver/auth/pki/private_text.h"

namespace millwright::apiserver {

namespace {

namespace fs = std::filesystem;

// A certificate and its key are one file, so that they cannot get apart when we are stopped between
// two writes.
Result<void> Save(const fs::path& path, const Identity& identity) {
  const SecretText both(identity.certificate + identity.key.Reveal());
  return WritePrivateText(path, both.Reveal());
}

Failure Broken(const fs::path& path, const Error& why) {
  return Fail(ErrorKind::kInvalid,
              path.string() + ": " + why.message() +
                  ": put the right file back, or remove it to start with a new one (clients then "
                  "need a new kubeconfig)");
}

Result<Authority> ParseAuthority(std::string_view text) {
  TRY(const auto certificate, Certificate::Parse(text));
  TRY(const auto key, PrivateKey::Parse(text));
  if (!certificate.BelongsTo(key)) {
    return Fail(ErrorKind::kInvalid, "the key is not that of the certificate");
  }
  return Authority{.certificate = certificate, .key = key};
}

Result<Authority> LoadOrCreateAuthority(const fs::path& path, WallTime now, Random& random) {
  TRY(const auto text, ReadPrivateText(path));
  std::optional<PrivateKey> key;
  if (text) {
    auto authority = ParseAuthority(text->Reveal());
    if (!authority) return Broken(path, authority.error());
    // Nothing it vouches for may outlive it, so it is renewed before that would be cut short.
    if (authority->certificate.ends() - now > kIdentityLife) return authority;
    key = authority->key;
  } else {
    key = PrivateKey::Generate();
  }
  Authority authority{.certificate = MakeAuthority(AuthorityPlan(now), *key, random), .key = *key};
  CHECK_OK(Save(path, {.certificate = authority.certificate.Pem(), .key = key->Pem()}));
  return authority;
}

Result<Identity> LoadOrIssue(const fs::path& path, const CertificatePlan& plan,
                             const Authority& authority, WallTime now, Random& random) {
  TRY(const auto text, ReadPrivateText(path));
  if (text) {
    const auto certificate = Certificate::Parse(text->Reveal());
    const auto key = PrivateKey::Parse(text->Reveal());
    if (certificate && key) {
      Identity identity{.certificate = certificate->Pem(), .key = key->Pem()};
      if (Fulfils(identity, plan, authority, now)) return identity;
    }
  }
  Identity identity = IssueIdentity(plan, authority, random);
  CHECK_OK(Save(path, identity));
  return identity;
}

Result<SecretText> LoadOrCreateTokenKey(const fs::path& path) {
  TRY(auto text, ReadPrivateText(path));
  if (text) {
    const auto key = PrivateKey::Parse(text->Reveal());
    if (!key) return Broken(path, key.error());
    if (!key->IsP256()) {
      return Broken(path, Error(ErrorKind::kInvalid, "the key is not one of ECDSA on P-256"));
    }
    return key->Pem();
  }
  SecretText pem = PrivateKey::Generate().Pem();
  CHECK_OK(WritePrivateText(path, pem.Reveal()));
  return pem;
}

Result<void> MakeDirectory(const fs::path& directory) {
  std::error_code error;
  const bool made = fs::create_directories(directory, error);
  if (!error && made) fs::permissions(directory, fs::perms::owner_all, error);
  if (!error) return Ok();
  return Fail(ErrorKind::kPermission, "creating " + directory.string() + ": " + error.message());
}

}  // namespace

Result<Pki> LoadOrCreatePki(const fs::path& directory, const AlternativeNames& server_names,
                            const Clock& clock, Random& random) {
  CHECK_OK(MakeDirectory(directory));
  const WallTime now = clock.Now();
  TRY(const auto authority, LoadOrCreateAuthority(directory / "ca.pem", now, random));
  Pki pki{.ca = {.certificate = authority.certificate.Pem(), .key = authority.key.Pem()}};
  TRY(pki.server,
      LoadOrIssue(directory / "server.pem", ServerPlan(server_names, now), authority, now, random));
  TRY(pki.admin, LoadOrIssue(directory / "admin.pem", AdminPlan(now), authority, now, random));
  TRY(pki.token_key, LoadOrCreateTokenKey(directory / "service-account-key.pem"));
  pki.renew_at = RenewalOf(pki);
  return pki;
}

}  // namespace millwright::apiserver
