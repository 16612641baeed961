// The fault proxy as a program: fault_proxy KUBECONFIG prints its port and serves plain HTTP there,
// as the user of that kubeconfig. What goes wrong is said to it under /_faults:
//
//   POST /_faults/rule   a rule (rule_text.h)
//   POST /_faults/clear  no rules any more
//   POST /_faults/cut    every watch ends now
//   POST /_faults/kill   {"pid": 7, "before": ["POST /..."], "after": []}: at the next write that
//   is
//                        about no event and no lease this process is killed, before the server
//                        hears of it; if that write is among `before` (it was there already),
//                        after; if it is among both, it goes through, and the next one counts.
//                        Until the next such request nothing more is heard of the dead process
//   GET  /_faults        {"requests": 12, "writes": 3, "applied": 1, "killed": "PATCH /...",
//                        "after": false}
//   GET  /_faults/record each such write: {"request": "PATCH /...", "body": 17, "came": 3.1,
//                        "answered": 3.2, "status": 429, "retryAfter": "1"}; times in seconds
#include <fmt/format.h>
#include <signal.h>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/json.hpp>

#include <chrono>
#include <cstdio>
#include <functional>
#include <set>

#include "base/system_clock.h"
#include "kube/config/load.h"
#include "kube/config/surroundings.h"
#include "kube/connect/connection.h"
#include "tests/faults/proxy.h"
#include "tests/faults/real/rule_text.h"

namespace millwright::faults {
namespace {

namespace json = boost::json;

class Program final : public net::Handler {
 public:
  Program(FaultProxy& proxy, Clock& clock) : proxy_(proxy), clock_(clock) {}

  Task<net::ServerResponse> Handle(net::ServerRequest request) override {
    if (request.http.target.starts_with("/_faults")) co_return Control(request.http);
    const RequestFacts facts{request.http.method, request.http.target};
    if (!IsWriteOfOurs(facts)) co_return co_await proxy_.Handle(std::move(request));
    if (!killed_.empty()) co_return Nothing();  // what the dead one had sent besides
    ++writes_;
    const std::string what = Named(facts);
    const std::size_t number = record_.size();
    record_.push_back(json::object{{"request", what},
                                   {"body", std::hash<std::string>{}(request.http.body)},
                                   {"came", Seconds()}});
    net::ServerResponse response = co_await Carry(std::move(request), what);
    json::object& entry = record_[number].as_object();
    entry["answered"] = Seconds();
    entry["status"] = response.cut ? 0 : response.http.status;
    const auto wait = response.http.headers.Find("Retry-After");
    if (wait) entry["retryAfter"] = *wait;
    co_return response;
  }

 private:
  // To the server, unless its sender dies of it.
  Task<net::ServerResponse> Carry(net::ServerRequest request, std::string what) {
    const bool was_before = before_.contains(what);
    if (victim_ == 0 || (was_before && after_.contains(what))) {
      co_return co_await proxy_.Handle(std::move(request));
    }
    const pid_t victim = std::exchange(victim_, 0);
    killed_ = what;
    killed_after_ = was_before;
    net::ServerResponse response;
    if (was_before) response = co_await proxy_.Handle(std::move(request));
    ::kill(victim, SIGKILL);
    response.cut = true;
    co_return response;
  }

  static net::ServerResponse Nothing() {
    net::ServerResponse response;
    response.cut = true;
    return response;
  }

  double Seconds() const {
    return std::chrono::duration<double>(clock_.Elapsed().time_since_epoch()).count();
  }

  // Without the query: it says who writes and not what.
  static std::string Named(const RequestFacts& facts) {
    return facts.method + " " + facts.target.substr(0, facts.target.find('?'));
  }

  static bool IsWriteOfOurs(const RequestFacts& facts) {
    return facts.IsWrite() && !facts.target.contains("/events") &&
           !facts.target.contains("/leases");
  }

  net::ServerResponse Control(const net::HttpRequest& request) {
    const json::value said = request.body.empty() ? json::object() : json::parse(request.body);
    net::ServerResponse response;
    response.http.status = 200;
    response.http.headers.Add("Content-Type", "application/json");
    if (request.target == "/_faults/rule") {
      auto rule = ReadFaultRule(said.as_object());
      response.http.status = rule ? 200 : 400;
      if (rule) proxy_.script().Add(*std::move(rule));
    } else if (request.target == "/_faults/clear") {
      proxy_.script().Clear();
    } else if (request.target == "/_faults/cut") {
      proxy_.CutStreams();
    } else if (request.target == "/_faults/kill") {
      victim_ = said.at("pid").to_number<pid_t>();
      before_ = NamesIn(said.at("before"));
      after_ = NamesIn(said.at("after"));
      killed_.clear();
    } else if (request.target == "/_faults/record") {
      response.http.body = json::serialize(record_);
      return response;
    }
    response.http.body = json::serialize(json::object{{"requests", proxy_.requests()},
                                                      {"writes", writes_},
                                                      {"applied", proxy_.script().applied()},
                                                      {"killed", killed_},
                                                      {"after", killed_after_}});
    return response;
  }

  static std::set<std::string> NamesIn(const json::value& list) {
    std::set<std::string> names;
    for (const json::value& name : list.as_array()) names.emplace(name.as_string());
    return names;
  }

  FaultProxy& proxy_;
  Clock& clock_;
  int writes_ = 0;
  json::array record_;
  pid_t victim_ = 0;
  std::set<std::string> before_;  // at which one died already, before the server heard of it
  std::set<std::string> after_;
  std::string killed_;
  bool killed_after_ = false;
};

int Main(const std::string& kubeconfig) {
  boost::asio::io_context loop(1);
  SystemClock clock(loop.get_executor());
  const auto config =
      kube::LoadClientConfig({.kubeconfig = kubeconfig}, kube::SurroundingsOfThisProcess());
  if (!config) {
    fmt::print(stderr, "{}\n", config.error().message());
    return 1;
  }
  auto upstream = kube::Connection::Make(loop.get_executor(), clock, *config);
  if (!upstream) {
    fmt::print(stderr, "{}\n", upstream.error().message());
    return 1;
  }
  FaultProxy proxy(loop.get_executor(), clock, (*upstream)->http());
  Program program(proxy, clock);
  auto server = net::Server::Listen(loop.get_executor(), clock, {}, program);
  if (!server) {
    fmt::print(stderr, "{}\n", server.error().message());
    return 1;
  }
  fmt::print("{}\n", (*server)->port());
  std::fflush(stdout);
  boost::asio::co_spawn(loop, (*server)->Run(), boost::asio::detached);
  loop.run();
  return 0;
}

}  // namespace
}  // namespace millwright::faults

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: fault_proxy KUBECONFIG\n");
    return 2;
  }
  return millwright::faults::Main(argv[1]);
}
