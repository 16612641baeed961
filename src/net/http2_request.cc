#include "net/http2_request.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "net/request_error.h"

namespace millwright::net {

namespace {

// More than any server takes.
constexpr std::size_t kMaxFields = std::size_t{1} << 20U;

std::string_view Trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

// Fields that speak of an HTTP/1.1 connection, or that we set ourselves.
bool IsLeftOut(std::string_view name) {
  static constexpr std::array<std::string_view, 8> kNames = {
      "connection", "content-length",    "host",   "keep-alive", "proxy-connection",
      "te",         "transfer-encoding", "upgrade"};
  return std::ranges::find(kNames, name) != kNames.end();
}

bool HasBody(const HttpRequest& request) {
  const std::string& method = request.method;
  return !request.body.empty() || method == "POST" || method == "PUT" || method == "PATCH";
}

}  // namespace

Result<std::shared_ptr<const Http2Request>> MakeHttp2Request(HttpRequest request,
                                                             const Endpoint& endpoint,
                                                             const std::string& user_agent) {
  std::string path = endpoint.path + request.target;
  path = path.substr(0, path.find('#'));
  if (path.empty()) path = "/";
  const std::string shown = endpoint.scheme + "://" + endpoint.authority + ShownUrl(path);
  if (!path.starts_with('/')) return Fail(ErrorKind::kInvalid, shown + ": not a usable address");

  auto made = std::make_shared<Http2Request>();
  made->method = request.method;
  made->url = shown;
  const std::string host(request.headers.Find("Host").value_or(endpoint.authority));
  made->fields = {{":method", request.method},
                  {":scheme", endpoint.scheme},
                  {":authority", host},
                  {":path", std::move(path)}};
  if (!request.headers.Find("User-Agent")) made->fields.emplace_back("user-agent", user_agent);
  made->undo_gzip = !request.headers.Find("Accept-Encoding");
  if (made->undo_gzip) made->fields.emplace_back("accept-encoding", "gzip");
  if (HasBody(request)) {
    made->fields.emplace_back("content-length", std::to_string(request.body.size()));
  }
  // All that HTTP/2 leaves of this field.
  made->wants_trailers = request.headers.Find("TE") == "trailers";
  if (made->wants_trailers) made->fields.emplace_back("te", "trailers");
  for (const auto& [name, value] : request.headers) {
    std::string lower = Lower(name);
    if (!IsLeftOut(lower)) made->fields.emplace_back(std::move(lower), Trimmed(value));
  }
  std::size_t size = 0;
  for (const auto& [name, value] : made->fields) size += name.size() + value.size();
  if (size > kMaxFields) return Fail(ErrorKind::kInvalid, shown + ": too many header fields");
  made->body = std::move(request.body);
  return made;
}

}  // namespace millwright::net
