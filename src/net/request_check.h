// Whether an address or a request can be sent at all. Refusals are kInvalid.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/task.h"
#include "net/client_options.h"
#include "net/http.h"

namespace millwright::net {

// An http or https address that libcurl can take apart.
Result<void> CheckUrl(const std::string& url);

Result<void> CheckProxy(const std::optional<std::string>& proxy, const TlsConfig& tls);

// Base address, proxy and TLS.
Result<void> CheckOptions(const ClientOptions& options, WallTime now);

// Nothing in it may end a line or a field early.
Result<void> CheckRequest(const HttpRequest& request);

// Adds the Authorization field, if there is to be one.
Task<Result<HttpRequest>> Authorized(HttpRequest request, Authorization authorization);

}  // namespace millwright::net
