// A request as HTTP/2 sends it. Pure.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "net/endpoint.h"
#include "net/http.h"

namespace millwright::net {

struct Http2Request {
  std::string method;
  std::string url;                                          // to be shown: without the query
  std::vector<std::pair<std::string, std::string>> fields;  // with ":method" and its like first
  std::string body;
  bool undo_gzip = false;       // the caller knows nothing of codings: we asked for it
  bool wants_trailers = false;  // it said "TE: trailers"
};

// kInvalid if there is no such request in HTTP/2. The request is one that CheckRequest let pass.
Result<std::shared_ptr<const Http2Request>> MakeHttp2Request(HttpRequest request,
                                                             const Endpoint& endpoint,
                                                             const std::string& user_agent);

}  // namespace millwright::net
