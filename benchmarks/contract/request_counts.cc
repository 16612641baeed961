#include "benchmarks/contract/request_counts.h"

#include <vector>

namespace millwright::benchmarks {

namespace {

std::vector<std::string_view> PartsOf(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    if (end > 0) parts.push_back(path.substr(0, end));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return parts;
}

std::string VerbOf(const net::HttpRequest& request, bool one, std::string_view query) {
  if (request.method == "GET") {
    if (query.contains("watch=")) return "WATCH";
    return one ? "GET" : "LIST";
  }
  for (const auto& [name, value] : request.headers) {
    if (request.method == "PATCH" && value.contains("apply-patch")) return "APPLY";
  }
  return request.method;
}

}  // namespace

std::string NameOf(const net::HttpRequest& request) {
  const std::string_view target = request.target;
  const std::size_t question = std::min(target.find('?'), target.size());
  std::vector<std::string_view> parts = PartsOf(target.substr(0, question));
  // api/v1 or apis/GROUP/VERSION, then perhaps namespaces/NAME.
  const std::size_t prefix = !parts.empty() && parts.front() == "api" ? 2 : 3;
  parts.erase(parts.begin(),
              parts.begin() + static_cast<std::ptrdiff_t>(std::min(prefix, parts.size())));
  if (parts.size() > 2 && parts.front() == "namespaces")
    parts.erase(parts.begin(), parts.begin() + 2);
  if (parts.empty()) return request.method + " /";
  std::string name = VerbOf(request, parts.size() > 1, target.substr(question)) + " ";
  name += parts.front();
  if (parts.size() > 2) name.append("/").append(parts[2]);
  return name;
}

bool IsWrite(const std::string& name) {
  return !name.starts_with("GET") && !name.starts_with("LIST") && !name.starts_with("WATCH");
}

std::uint64_t WritesIn(const RequestCounts& counts) {
  std::uint64_t writes = 0;
  for (const auto& [name, count] : counts) {
    if (IsWrite(name)) writes += count;
  }
  return writes;
}

Task<Result<net::HttpResponse>> CountingHttp::Send(net::HttpRequest request) {
  ++counts_[NameOf(request)];
  return inner_.Send(std::move(request));
}

Task<Result<net::HttpStream>> CountingHttp::Open(net::HttpRequest request) {
  ++counts_[NameOf(request)];
  return inner_.Open(std::move(request));
}

}  // namespace millwright::benchmarks
