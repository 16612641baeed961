#include "providers/grpc/address.h"

#include <fmt/format.h>

#include "net/endpoint.h"
#include "net/unix_dial.h"

namespace millwright::providers::grpc {

namespace {

constexpr std::string_view kUnix = "unix://";

Failure Wrong(std::string_view text, std::string_view why) {
  return Fail(ErrorKind::kInvalid, fmt::format("{}: {}", text, why));
}

Result<void> CheckPath(std::string_view text, std::string_view path) {
  if (!path.starts_with('/') || path.size() < 2) {
    return Wrong(text, "the path of a socket begins with a slash, as in unix:///run/provider.sock");
  }
  if (path.size() > net::kLongestSocketPath) return Wrong(text, "too long for a socket's path");
  return Ok();
}

}  // namespace

Result<ProviderAddress> ParseProviderAddress(std::string_view text) {
  const auto equals = text.find('=');
  if (equals == text.npos || equals == 0) return Wrong(text, "use NAME=ADDRESS");
  ProviderAddress address{.name = std::string(text.substr(0, equals))};
  const std::string_view where = text.substr(equals + 1);
  if (where.starts_with(kUnix)) {
    address.unix_socket = where.substr(kUnix.size());
    CHECK_OK(CheckPath(text, address.unix_socket));
    return address;
  }
  if (!where.starts_with("https://")) {
    return Wrong(text, "a provider listens on unix:///PATH or https://HOST:PORT");
  }
  TRY(const net::Endpoint endpoint, net::ParseEndpoint(std::string(where)));
  if (endpoint.has_user || !endpoint.path.empty()) {
    return Wrong(text, "only HOST:PORT may follow https://");
  }
  address.url = where;
  return address;
}

}  // namespace millwright::providers::grpc
