// Where a provider listens, as the command line says it. Pure.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace millwright::providers::grpc {

struct ProviderAddress {
  std::string name;         // by which classes ask for it
  std::string unix_socket;  // its path; or
  std::string url;          // https://HOST:PORT

  std::string where() const { return url.empty() ? "unix://" + unix_socket : url; }

  friend bool operator==(const ProviderAddress&, const ProviderAddress&) = default;
};

// NAME=unix:///PATH or NAME=https://HOST:PORT. kInvalid, saying what is wrong.
Result<ProviderAddress> ParseProviderAddress(std::string_view text);

}  // namespace millwright::providers::grpc
