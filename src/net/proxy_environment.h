// What the environment says about proxies, read as libcurl reads it. Pure but for the one function
// that looks.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace millwright::net {

// The value of a variable; empty if it is not set.
using Environment = std::function<std::string(const char* name)>;

// True if https requests to that host are to go through a proxy.
bool EnvironmentHasProxyFor(const std::string& host, const Environment& environment);

// The same for the environment of this process.
bool EnvironmentHasProxyFor(const std::string& host);

// Whether a list such as "localhost,.svc,10.0.0.0/8" names the host.
bool IsExemptFromProxy(std::string_view no_proxy, const std::string& host);

}  // namespace millwright::net
