// How we know a server over TLS and how it knows us, as values.
#pragma once

#include <string>

#include "base/result.h"
#include "base/secret.h"
#include "base/time.h"

namespace millwright::net {

struct TlsConfig {
  std::string ca_pem{};           // who may vouch for the server; empty: the system's authorities
  std::string client_cert_pem{};  // ours, leaf first; empty: we show none
  SecretText client_key_pem{};
  std::string server_name{};  // asked for and verified instead of the host in the URL
  bool insecure_skip_verify = false;

  friend bool operator==(const TlsConfig&, const TlsConfig&) = default;
};

// kInvalid, in words that tell an operator which part is wrong: not PEM, a key without or not of
// its certificate, a client certificate outside its time, authorities that would not be asked.
Result<void> CheckTlsConfig(const TlsConfig& config, WallTime now);

}  // namespace millwright::net
