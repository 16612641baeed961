// Counts requests by what they ask for.
#pragma once

#include <map>
#include <string>

#include "net/http.h"

namespace millwright::benchmarks {

// "PATCH machines/status", "GET secrets", "WATCH nodes", ...; "APPLY" is a server-side apply.
using RequestCounts = std::map<std::string, std::uint64_t>;

std::string NameOf(const net::HttpRequest& request);
bool IsWrite(const std::string& name);
std::uint64_t WritesIn(const RequestCounts& counts);

class CountingHttp final : public net::Http {
 public:
  // Both outlive it.
  CountingHttp(net::Http& inner, RequestCounts& counts) : inner_(inner), counts_(counts) {}

  Task<Result<net::HttpResponse>> Send(net::HttpRequest request) override;
  Task<Result<net::HttpStream>> Open(net::HttpRequest request) override;

 private:
  net::Http& inner_;
  RequestCounts& counts_;
};

}  // namespace millwright::benchmarks
