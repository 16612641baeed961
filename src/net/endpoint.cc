#include "net/endpoint.h"

#include <curl/curl.h>
#include <boost/asio/ip/address.hpp>

#include <charconv>
#include <memory>
#include <utility>

#include "net/request_check.h"

namespace millwright::net {

namespace {

using UrlPtr = std::unique_ptr<CURLU, decltype(&curl_url_cleanup)>;

// Empty if there is no such part.
std::string Part(CURLU* url, CURLUPart part, unsigned flags = 0) {
  char* text = nullptr;
  if (curl_url_get(url, part, &text, flags) != CURLUE_OK) return "";
  std::string result(text);
  curl_free(text);
  return result;
}

std::string Unbracketed(std::string host) {
  if (!host.starts_with('[') || !host.ends_with(']')) return host;
  return host.substr(1, host.size() - 2);
}

}  // namespace

bool IsIpAddress(const std::string& text) {
  boost::system::error_code error;
  boost::asio::ip::make_address(text, error);
  return !error;
}

bool Endpoint::is_address() const { return IsIpAddress(host); }

Result<Endpoint> ParseEndpoint(const std::string& url) {
  CHECK_OK(CheckUrl(url));
  const UrlPtr parsed(curl_url(), curl_url_cleanup);
  curl_url_set(parsed.get(), CURLUPART_URL, url.c_str(), CURLU_PATH_AS_IS);
  Endpoint endpoint;
  endpoint.scheme = Part(parsed.get(), CURLUPART_SCHEME);
  const std::string host = Part(parsed.get(), CURLUPART_HOST);
  endpoint.host = Unbracketed(host);
  const std::string zone = Part(parsed.get(), CURLUPART_ZONEID);
  if (!zone.empty()) endpoint.host += "%" + zone;
  const std::string port = Part(parsed.get(), CURLUPART_PORT, CURLU_DEFAULT_PORT);
  std::from_chars(port.data(), port.data() + port.size(), endpoint.port);
  const std::string own_port = Part(parsed.get(), CURLUPART_PORT, CURLU_NO_DEFAULT_PORT);
  endpoint.authority = own_port.empty() ? host : host + ":" + own_port;
  endpoint.path = Part(parsed.get(), CURLUPART_PATH);
  while (endpoint.path.ends_with('/')) endpoint.path.pop_back();
  endpoint.has_user = !Part(parsed.get(), CURLUPART_USER).empty();
  return endpoint;
}

}  // namespace millwright::net
