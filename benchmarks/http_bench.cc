// Requests per second over ONE HTTP/2 connection, one at a time and 50 in flight, and their cost in
// CPU, as ratios to h2load (Debian: nghttp2-client) against the same server in the same run:
//   http_bench                         nghttpd on this machine
//   http_bench --kubeconfig FILE       a real API server, as that file says
//   http_bench --url URL [--ca FILE]   anything else that needs no client certificate
// h2load shows no certificate, so --path must be one that everybody may read.
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>

#include <array>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/task_group.h"
#include "benchmarks/run.h"
#include "kube/connect/connection.h"
#include "net/http_client.h"
#include "net/testing/test_certificates.h"

namespace millwright::benchmarks {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

struct Options {
  std::string kubeconfig;
  std::string url;
  std::string ca;
  std::string path = "/version";
  int requests = 20000;
};

struct Figures {
  double per_second = 0;
  double cpu_per_1000 = 0;  // seconds
};

double Seconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }

double Seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + (static_cast<double>(time.tv_usec) / 1e6);
}

double Cpu(int who) {
  rusage usage{};
  getrusage(who, &usage);
  return Seconds(usage.ru_utime) + Seconds(usage.ru_stime);
}

std::string ReadFile(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// nghttpd without its log, which would be most of what it does.
class QuietServer {
 public:
  explicit QuietServer(net::TestAuthority& authority) : port_(FreePort()) {
    std::string folder = (fs::temp_directory_path() / "http_bench.XXXXXX").string();
    if (mkdtemp(folder.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = folder;
    const net::TestIdentity identity = authority.IssueServer();
    std::ofstream(folder_ / "key.pem") << identity.key_pem.Reveal();
    std::ofstream(folder_ / "cert.pem") << identity.cert_pem;
    std::ofstream(folder_ / "version") << std::string(500, 'x');
    const std::string root = folder_;
    const std::string key = folder_ / "key.pem";
    const std::string cert = folder_ / "cert.pem";
    const std::string port = std::to_string(port_);
    process_ = fork();
    if (process_ != 0) return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    execlp("nghttpd", "nghttpd", "-a", "127.0.0.1", "-d", root.c_str(), port.c_str(), key.c_str(),
           cert.c_str(), nullptr);
    _exit(127);
  }
  ~QuietServer() {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
    fs::remove_all(folder_);
  }
  QuietServer(const QuietServer&) = delete;
  QuietServer& operator=(const QuietServer&) = delete;

  std::string url() const { return "https://127.0.0.1:" + std::to_string(port_); }

 private:
  static int FreePort() {
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    bind(socket, reinterpret_cast<sockaddr*>(&address), size);
    getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
    close(socket);
    return ntohs(address.sin_port);
  }

  int port_;
  fs::path folder_;
  pid_t process_ = -1;
};

Task<void> SendMany(net::Http& http, std::string path, int& left, std::string& failure) {
  while (left-- > 0 && failure.empty()) {
    net::HttpRequest request;
    request.target = path;
    const auto answer = co_await http.Send(std::move(request));
    if (!answer) failure = answer.error().message();
    if (answer && answer->status != 200) failure = fmt::format("status {}", answer->status);
  }
}

Task<Result<Figures>> MeasureOurs(Process process, net::Http& http, Options options,
                                  int in_flight) {
  int left = options.requests;
  std::string failure;
  const SteadyTime began = process.clock.Elapsed();
  const double cpu = Cpu(RUSAGE_THREAD);
  TaskGroup senders(process.executor);
  for (int i = 0; i < in_flight; ++i) {
    senders.Spawn([&] { return SendMany(http, options.path, left, failure); });
  }
  co_await senders.Join();
  if (!failure.empty()) co_return Fail(ErrorKind::kUnavailable, failure);
  const double thousands = options.requests / 1000.0;
  co_return Figures{.per_second = options.requests / Seconds(process.clock.Elapsed() - began),
                    .cpu_per_1000 = (Cpu(RUSAGE_THREAD) - cpu) / thousands};
}

// Blocks: nothing else is to run meanwhile.
Result<Figures> MeasureH2load(const Options& options, int in_flight) {
  const std::string command = fmt::format("h2load -n {} -c 1 -m {} '{}{}' 2>&1", options.requests,
                                          in_flight, options.url, options.path);
  const double cpu = Cpu(RUSAGE_CHILDREN);
  FILE* pipe = popen(command.c_str(), "r");
  std::string output;
  std::array<char, 4096> buffer{};
  while (fgets(buffer.data(), buffer.size(), pipe) != nullptr) output += buffer.data();
  const int code = pclose(pipe);
  const std::size_t finished = output.find("finished in ");
  const bool all = output.contains(fmt::format("{} 2xx", options.requests));
  if (code != 0 || finished == std::string::npos || !all) {
    return Fail(ErrorKind::kUnavailable, "h2load: " + output);
  }
  const std::size_t rate = output.find(", ", finished) + 2;
  return Figures{.per_second = std::stod(output.substr(rate)),
                 .cpu_per_1000 = (Cpu(RUSAGE_CHILDREN) - cpu) / (options.requests / 1000.0)};
}

Task<Result<void>> Compare(Process process, net::Http& http, Options options) {
  // Until the server is there.
  net::HttpRequest request;
  request.target = options.path;
  for (int i = 0; i < 100 && !co_await http.Send(request); ++i) {
    co_await SleepFor(process.clock, 50ms);
  }
  fmt::print("{:>10} {:>12} {:>14} {:>12} {:>14} {:>10} {:>10}\n", "in flight", "ours req/s",
             "CPU s/1000", "h2load req/s", "CPU s/1000", "x speed", "x CPU");
  for (const int in_flight : {1, 50}) {
    CO_TRY(const Figures ours, co_await MeasureOurs(process, http, options, in_flight));
    CO_TRY(const Figures theirs, MeasureH2load(options, in_flight));
    fmt::print("{:>10} {:>12.0f} {:>14.4f} {:>12.0f} {:>14.4f} {:>10.2f} {:>10.2f}\n", in_flight,
               ours.per_second, ours.cpu_per_1000, theirs.per_second, theirs.cpu_per_1000,
               ours.per_second / theirs.per_second, ours.cpu_per_1000 / theirs.cpu_per_1000);
  }
  co_return Ok();
}

Task<Result<void>> AgainstKubernetes(Process process, Options options) {
  CO_TRY(auto config, kube::LoadClientConfig({.kubeconfig = options.kubeconfig},
                                             kube::SurroundingsOfThisProcess()));
  options.url = config.server;
  CO_TRY(const auto connection,
         co_await kube::Connection::Open(process.executor, process.clock, std::move(config)));
  co_return co_await Compare(process, connection->http(), options);
}

Task<Result<void>> AgainstUrl(Process process, Options options, std::string ca_pem) {
  net::ClientOptions client{.base_url = options.url, .tls = {.ca_pem = std::move(ca_pem)}};
  CO_TRY(const auto http,
         net::HttpClient::Create(process.executor, process.clock, std::move(client)));
  CO_CHECK(co_await Compare(process, *http, options));
  fmt::print("connections opened: {}\n", http->connections_opened());
  co_return Ok();
}

Task<Result<void>> Main(Process process, Options options) {
  if (!options.kubeconfig.empty()) co_return co_await AgainstKubernetes(process, options);
  if (!options.url.empty()) {
    co_return co_await AgainstUrl(process, options, options.ca.empty() ? "" : ReadFile(options.ca));
  }
  net::TestAuthority authority;
  const QuietServer server(authority);
  options.url = server.url();
  co_return co_await AgainstUrl(process, options, authority.ca_pem());
}

}  // namespace
}  // namespace millwright::benchmarks

int main(int argc, char** argv) {
  using namespace millwright;
  benchmarks::Options options;
  CLI::App app("Requests over one HTTP/2 connection, compared with h2load");
  app.add_option("--kubeconfig", options.kubeconfig, "measure that cluster's API server");
  app.add_option("--url", options.url, "measure that server, https://host:port");
  app.add_option("--ca", options.ca, "PEM file of its authority");
  app.add_option("--path", options.path, "what to ask for")->capture_default_str();
  app.add_option("--requests", options.requests, "of each kind")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  return benchmarks::RunProcess(
      [&](benchmarks::Process process) { return benchmarks::Main(std::move(process), options); });
}
