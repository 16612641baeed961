// The server's own authority and what it vouches for: made on first start, kept, renewed in time.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "apiserver/auth/pki/certificate.h"
#include "base/clock.h"
#include "base/random.h"
#include "base/result.h"
#include "base/secret.h"

namespace millwright::apiserver {

// A certificate with its key, both PEM.
struct Identity {
  std::string certificate;
  SecretText key;

  friend bool operator==(const Identity&, const Identity&) = default;
};

struct Pki {
  Identity ca;
  Identity server;       // for the names it was made for
  Identity admin;        // a client of the group system:masters
  SecretText token_key;  // signs the tokens of service accounts
  // When the first of these should be replaced by LoadOrCreatePki.
  WallTime renew_at{};
};

inline constexpr Duration kAuthorityLife = std::chrono::hours(24 * 365 * 10);
inline constexpr Duration kIdentityLife = std::chrono::hours(24 * 365);
// With so much left, a certificate is replaced: time enough to copy the new one where it is used.
inline constexpr Duration kRenewBefore = std::chrono::hours(24 * 90);

// The names under which clients reach a server on this machine, whatever its address; with the
// host it listens on, if that is not one of those already.
AlternativeNames ServerNames(std::string_view host_name, std::string_view listen_host = {});
// The name the kernel has for this machine.
std::string HostName();

// Everything new, for a server that keeps nothing.
Pki MakePki(const AlternativeNames& server_names, WallTime now, Random& random);

// From the files of a directory, which is made if it is missing; what is missing or near its end is
// made and written. An authority near its end gets a new certificate for its old key, so that what
// trusts the old one goes on to work. kInvalid if the authority or the key for tokens cannot be
// read: replacing those would shut out every client, so a person has to do it.
Result<Pki> LoadOrCreatePki(const std::filesystem::path& directory,
                            const AlternativeNames& server_names, const Clock& clock,
                            Random& random);

}  // namespace millwright::apiserver
