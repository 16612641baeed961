// An http(s) address taken apart: where to connect, and what to say there. Pure.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace millwright::net {

struct Endpoint {
  std::string scheme;  // "http" or "https"
  std::string host;    // a name, or an address without brackets
  std::uint16_t port = 0;
  std::string authority;  // as in the Host field: with the port unless it is the scheme's own
  std::string path;       // before every target; empty or "/base"
  bool has_user = false;  // there was "user:password@" before the host

  bool is_address() const;

  friend bool operator==(const Endpoint&, const Endpoint&) = default;
};

// kInvalid for anything that is not such an address.
Result<Endpoint> ParseEndpoint(const std::string& url);

// Of version 4 or 6.
bool IsIpAddress(const std::string& text);

}  // namespace millwright::net
