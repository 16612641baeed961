// What we tell an exec plugin and what it answers (client.authentication.k8s.io), without running
// it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/secret.h"
#include "base/time.h"
#include "kube/config/client_config.h"

namespace millwright::kube {

struct ExecCredential {
  SecretText token{};  // empty if there is none
  std::string client_cert_pem{};
  SecretText client_key_pem{};
  std::optional<WallTime> expires{};  // none: good until the server refuses it

  friend bool operator==(const ExecCredential&, const ExecCredential&) = default;
};

// The value of KUBERNETES_EXEC_INFO for the plugin of this configuration, whose credentials must be
// an ExecPlugin. Authorities from a file come as `ca_pem`.
std::string ExecInfo(const ClientConfig& config, std::string_view ca_pem, bool interactive);

// What the plugin printed. kInvalid, without anything of the text, if it is of another version or
// holds neither a token nor a certificate with its key.
Result<ExecCredential> ParseExecCredential(std::string_view text, std::string_view api_version);

}  // namespace millwright::kube
