// String formats about networks.
#pragma once

#include <string_view>

namespace millwright::kube {

// Leading zeros are allowed, as they were before Go forbade them.
bool IsIpv4(std::string_view text);
bool IsIpv6(std::string_view text);
bool IsCidr(std::string_view text);

// 6, 8 or 20 octets with colons, dashes or dots.
bool IsMac(std::string_view text);

// What Go's net/url takes as the target of a request: absolute, or a path from the root.
bool IsRequestUri(std::string_view text);

// Letters may be of any alphabet and even symbols, except in the last label.
bool IsHostname(std::string_view text);

// An address with or without a name before it, as Go's net/mail reads it.
bool IsEmail(std::string_view text);

}  // namespace millwright::kube
