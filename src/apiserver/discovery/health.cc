#include "apiserver/discovery/health.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace millwright::apiserver {

namespace {

net::HttpResponse Text(int status, std::string text) {
  return {.status = status,
          .headers = {{"Content-Type", "text/plain; charset=utf-8"},
                      {"X-Content-Type-Options", "nosniff"}},
          .body = std::move(text)};
}

std::string JoinedFrom(const std::vector<std::string>& segments, std::size_t first) {
  return fmt::format(
      "{}", fmt::join(segments.begin() + static_cast<std::ptrdiff_t>(first), segments.end(), "/"));
}

net::HttpResponse AnswerOne(const std::vector<HealthCheck>& checks, const std::string& name) {
  const auto found = std::ranges::find(checks, name, &HealthCheck::name);
  if (found == checks.end()) return Text(404, "404 page not found\n");
  const auto result = found->check();
  if (result) return Text(200, "ok");
  return Text(500, fmt::format("internal server error: {}\n", result.error().message()));
}

std::set<std::string, std::less<>> Excluded(const net::Target& target) {
  std::set<std::string, std::less<>> names;
  for (const auto& [key, value] : target.query) {
    if (key == "exclude") names.insert(value);
  }
  return names;
}

struct Report {
  std::string lines;
  bool failed = false;
};

Report RunAll(const std::vector<HealthCheck>& checks, std::set<std::string, std::less<>> excluded) {
  Report report;
  for (const HealthCheck& check : checks) {
    if (excluded.erase(check.name) > 0) {
      report.lines += fmt::format("[+]{} excluded: ok\n", check.name);
    } else if (check.check()) {
      report.lines += fmt::format("[+]{} ok\n", check.name);
    } else {
      report.lines += fmt::format("[-]{} failed: reason withheld\n", check.name);
      report.failed = true;
    }
  }
  if (!excluded.empty()) {
    report.lines += fmt::format("warn: some health checks cannot be excluded: no matches for {}\n",
                                fmt::format("\"{}\"", fmt::join(excluded, "\",\"")));
  }
  return report;
}

}  // namespace

std::vector<HealthCheck> ChecksOf(const std::vector<HealthCheck>& checks, std::string_view probe) {
  std::vector<HealthCheck> chosen = {{.name = "ping", .check = [] { return Ok(); }}};
  for (const HealthCheck& check : checks) {
    if (probe == "readyz" || !check.only_ready) chosen.push_back(check);
  }
  return chosen;
}

net::HttpResponse AnswerHealth(const std::vector<HealthCheck>& checks, const net::Target& target) {
  const std::string& probe = target.segments.front();
  const std::vector<HealthCheck> chosen = ChecksOf(checks, probe);
  if (target.segments.size() > 1) return AnswerOne(chosen, JoinedFrom(target.segments, 1));
  const Report report = RunAll(chosen, Excluded(target));
  if (report.failed) return Text(500, report.lines + probe + " check failed\n");
  if (!target.Find("verbose")) return Text(200, "ok");
  return Text(200, report.lines + probe + " check passed\n");
}

}  // namespace millwright::apiserver
