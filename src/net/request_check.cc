#include "net/request_check.h"

#include <curl/curl.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "net/request_error.h"

namespace millwright::net {

namespace {

using UrlPtr = std::unique_ptr<CURLU, decltype(&curl_url_cleanup)>;

bool IsPrintable(std::string_view text) {
  return std::ranges::all_of(text, [](unsigned char c) { return c > ' ' && c != 0x7f; });
}

bool IsOneLine(std::string_view text) {
  return text.find_first_of(std::string_view("\r\n\0", 3)) == text.npos;
}

bool IsMethod(std::string_view method) {
  return !method.empty() &&
         std::ranges::all_of(method, [](char c) { return c >= 'A' && c <= 'Z'; });
}

Result<std::string> SchemeOf(const std::string& url, std::string_view what) {
  const auto malformed = [&] {
    return Fail(ErrorKind::kInvalid, std::string(what) + ": not a usable address");
  };
  if (!IsPrintable(url) || !url.contains("://")) return malformed();
  const UrlPtr parsed(curl_url(), curl_url_cleanup);
  char* scheme = nullptr;
  const auto flags = CURLU_NON_SUPPORT_SCHEME;
  if (curl_url_set(parsed.get(), CURLUPART_URL, url.c_str(), flags) != CURLUE_OK ||
      curl_url_get(parsed.get(), CURLUPART_SCHEME, &scheme, 0) != CURLUE_OK) {
    return malformed();
  }
  std::string result(scheme);
  curl_free(scheme);
  return result;
}

}  // namespace

Result<void> CheckUrl(const std::string& url) {
  TRY(const auto scheme, SchemeOf(url, ShownUrl(url)));
  if (scheme == "http" || scheme == "https") return Ok();
  return Fail(ErrorKind::kInvalid, ShownUrl(url) + ": only http and https are spoken here");
}

Result<void> CheckProxy(const std::optional<std::string>& proxy, const TlsConfig& tls) {
  if (!proxy || proxy->empty()) return Ok();
  const std::string shown = "proxy " + ShownUrl(*proxy);
  TRY(const auto scheme, SchemeOf(*proxy, shown));
  // The name override is made in the TLS context, and libcurl does not say whose context it is.
  if (scheme == "https" && !tls.server_name.empty()) {
    return Fail(ErrorKind::kInvalid, shown + ": not over TLS when a TLS server name is set");
  }
  if (scheme == "http" || scheme == "https" || scheme == "socks5" || scheme == "socks5h") {
    return Ok();
  }
  return Fail(ErrorKind::kInvalid, shown + ": only http, https, socks5 and socks5h can be used");
}

Result<void> CheckOptions(const ClientOptions& options, WallTime now) {
  if (!options.base_url.empty()) CHECK_OK(CheckUrl(options.base_url));
  CHECK_OK(CheckProxy(options.proxy, options.tls));
  return CheckTlsConfig(options.tls, now);
}

Result<void> CheckRequest(const HttpRequest& request) {
  const auto invalid = [&](std::string_view what) {
    return Fail(ErrorKind::kInvalid, ShownUrl(request.target) + ": " + std::string(what));
  };
  if (!IsMethod(request.method)) return invalid("not a method");
  if (!IsPrintable(request.target)) return invalid("a blank or control character in the target");
  for (const auto& [name, value] : request.headers) {
    const bool ok = !name.empty() && IsPrintable(name) && !name.contains(':') && IsOneLine(value);
    if (!ok) return invalid("a header that cannot be sent: " + (IsPrintable(name) ? name : "?"));
  }
  return Ok();
}

Task<Result<HttpRequest>> Authorized(HttpRequest request, Authorization authorization) {
  if (!authorization) co_return request;
  CO_TRY(const SecretText value, co_await authorization());
  if (!IsOneLine(value.Reveal())) {
    co_return Fail(ErrorKind::kInvalid,
                   ShownUrl(request.target) + ": a line break in the authorization");
  }
  if (!value.empty()) request.headers.Set("Authorization", value.Reveal());
  co_return request;
}

}  // namespace millwright::net
