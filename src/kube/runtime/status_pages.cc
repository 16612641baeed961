#include "kube/runtime/status_pages.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "kube/runtime/cpu_profile.h"
#include "net/server_message.h"

namespace millwright::kube {

namespace {

bool HasParameter(std::string_view query, std::string_view name) {
  const std::size_t at = query.find(name);
  return at != std::string_view::npos;
}

int SecondsIn(std::string_view query) {
  constexpr std::string_view kName = "seconds=";
  constexpr int kDefault = 30;
  constexpr int kMost = 300;
  const std::size_t at = query.find(kName);
  if (at == std::string_view::npos) return kDefault;
  int seconds = kDefault;
  std::from_chars(query.data() + at + kName.size(), query.data() + query.size(), seconds);
  return std::clamp(seconds, 1, kMost);
}

}  // namespace

net::HttpResponse CheckPage(std::string_view page, const Checks& checks, bool verbose) {
  std::string text;
  bool well = true;
  for (const auto& [name, check] : checks) {
    const std::string wrong = check();
    well = well && wrong.empty();
    text += wrong.empty() ? fmt::format("[+]{} ok\n", name)
                          : fmt::format("[-]{} failed: {}\n", name, wrong);
  }
  if (well && !verbose) return net::PlainAnswer(200, "ok");
  text += std::string(page) + (well ? " check passed" : " check failed");
  return net::PlainAnswer(well ? 200 : 500, text);
}

Task<net::ServerResponse> StatusPages::Handle(net::ServerRequest request) {
  const std::string target = std::move(request.http.target);
  const std::size_t mark = target.find('?');
  const std::string path = target.substr(0, mark);
  const std::string query = mark == std::string::npos ? "" : target.substr(mark + 1);
  net::ServerResponse response;
  if (request.http.method != "GET" && request.http.method != "HEAD") {
    response.http = net::PlainAnswer(405, "only GET");
  } else if (profiling_ && path == "/debug/pprof/profile") {
    response.http = co_await Profile(query);
  } else {
    response.http = Page(path, HasParameter(query, "verbose"));
  }
  co_return response;
}

net::HttpResponse StatusPages::Page(std::string_view path, bool verbose) {
  if (path == "/healthz" || path == "/livez") {
    return CheckPage(path.substr(1), health_, verbose);
  }
  if (path == "/readyz") return CheckPage("readyz", ready_, verbose);
  if (path == "/metrics") {
    for (const auto& update : before_scrape_) update();
    net::HttpResponse page;
    page.status = 200;
    page.headers.Add("Content-Type", std::string(kMetricsContentType));
    page.body = metrics_.Serialize();
    return page;
  }
  if (path == "/configz") return net::PlainAnswer(200, "{}");
  if (profiling_ && path == "/debug/pprof/") {
    return net::PlainAnswer(200,
                            "profile?seconds=30 - CPU profile; read it with: pprof BINARY FILE");
  }
  return net::PlainAnswer(404, "here are /healthz, /livez, /readyz and /metrics");
}

Task<net::HttpResponse> StatusPages::Profile(std::string query) {
  auto profile = co_await TakeCpuProfile(clock_, std::chrono::seconds(SecondsIn(query)));
  if (!profile) co_return net::PlainAnswer(501, profile.error().message());
  net::HttpResponse page;
  page.status = 200;
  page.headers.Add("Content-Type", "application/octet-stream");
  page.headers.Add("Content-Disposition", "attachment; filename=\"profile\"");
  page.body = *std::move(profile);
  co_return page;
}

}  // namespace millwright::kube
