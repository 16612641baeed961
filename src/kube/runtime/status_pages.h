// /healthz, /livez, /readyz, /metrics and, if asked for, /debug/pprof/: how this process is.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/metrics.h"
#include "net/server_handler.h"

namespace millwright::kube {

// Empty if well, else what is wrong.
using Check = std::function<std::string()>;
using Checks = std::vector<std::pair<std::string, Check>>;

// The answer as kube-apiserver gives it: "ok", or every check with [+] or [-] if one fails or
// `verbose` is set.
net::HttpResponse CheckPage(std::string_view page, const Checks& checks, bool verbose);

class StatusPages final : public net::Handler {
 public:
  StatusPages(Clock& clock, Metrics& metrics, bool profiling)
      : clock_(clock), metrics_(metrics), profiling_(profiling) {}

  void AddHealthCheck(std::string name, Check check) {
    health_.emplace_back(std::move(name), std::move(check));
  }
  void AddReadyCheck(std::string name, Check check) {
    ready_.emplace_back(std::move(name), std::move(check));
  }

  // Called before each scrape, for what is only known then.
  void BeforeScrape(std::function<void()> update) { before_scrape_.push_back(std::move(update)); }

  Task<net::ServerResponse> Handle(net::ServerRequest request) override;

 private:
  net::HttpResponse Page(std::string_view path, bool verbose);
  Task<net::HttpResponse> Profile(std::string query);

  Clock& clock_;
  Metrics& metrics_;
  const bool profiling_;
  Checks health_;
  Checks ready_;
  std::vector<std::function<void()>> before_scrape_;
};

}  // namespace millwright::kube
