// The fault proxy as a program: fault_proxy KUBECONFIG prints its port and serves plain HTTP there,
// as the user of that kubeconfig. What goes wrong is said to it under /_faults:
//
//   POST /_faults/rule   a rule (rule_text.h)
//   POST /_faults/clear  no rules any more
//   POST /_faults/cut    every watch ends now
//   POST /_faults/kill   {"pid": 7, "after": true, "spare": ["POST /..."]}: at the next write that
//   is
//                        about no event and no lease and is not spared, this process is killed,
//                        before the server hears of it or after
//   GET  /_faults        {"requests": 12, "writes": 3, "applied": 1, "killed": "PATCH /..."}
#include <fmt/format.h>
#include <signal.h>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/json.hpp>

#include <cstdio>
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
  explicit Program(FaultProxy& proxy) : proxy_(proxy) {}

  Task<net::ServerResponse> Handle(net::ServerRequest request) override {
    if (request.http.target.starts_with("/_faults")) co_return Control(request.http);
    const RequestFacts facts{request.http.method, request.http.target};
    if (!IsWriteOfOurs(facts)) co_return co_await proxy_.Handle(std::move(request));
    ++writes_;
    const std::string what = Named(facts);
    if (victim_ == 0 || spared_.contains(what)) {
      co_return co_await proxy_.Handle(std::move(request));
    }
    const pid_t victim = std::exchange(victim_, 0);
    const bool after = after_;
    net::ServerResponse response;
    if (after) response = co_await proxy_.Handle(std::move(request));
    killed_ = what;
    ::kill(victim, SIGKILL);
    response.cut = true;
    co_return response;
  }

 private:
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
      after_ = said.at("after").as_bool();
      spared_.clear();
      for (const json::value& name : said.at("spare").as_array()) {
        spared_.emplace(name.as_string());
      }
      killed_.clear();
    }
    response.http.body = json::serialize(json::object{{"requests", proxy_.requests()},
                                                      {"writes", writes_},
                                                      {"applied", proxy_.script().applied()},
                                                      {"killed", killed_}});
    return response;
  }

  FaultProxy& proxy_;
  int writes_ = 0;
  pid_t victim_ = 0;
  bool after_ = false;
  std::set<std::string> spared_;
  std::string killed_;
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
  Program program(proxy);
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
