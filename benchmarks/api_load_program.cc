// Load on an API server, over connections of its own; prints one JSON object of figures:
//   api_load KUBECONFIG create-machines|create-nodes|patch-status|apply COUNT   64 connections
//   api_load KUBECONFIG list TIMES                                             of all machines
//   api_load KUBECONFIG fan-out CHANGES                                        to 100 watches
#include <fmt/format.h>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <vector>

#include "base/system_clock.h"
#include "benchmarks/api_connection.h"
#include "benchmarks/sample_machine.h"
#include "benchmarks/sample_node.h"

namespace millwright::benchmarks {
namespace {

namespace asio = boost::asio;

constexpr int kConnections = 64;
constexpr int kWatches = 100;

double Milliseconds(Duration duration) {
  return std::chrono::duration<double, std::milli>(duration).count();
}

double Percentile(std::vector<double>& values, double part) {
  if (values.empty()) return 0;
  const auto place = static_cast<std::size_t>(part * static_cast<double>(values.size() - 1));
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(place));
  return values[place];
}

class Load {
 public:
  explicit Load(const std::string& kubeconfig) : address_(kubeconfig) {}

  void Write(std::string_view what, int count);
  void List(int times);
  void FanOut(int changes);

 private:
  using Connections = std::vector<std::unique_ptr<ApiConnection>>;

  Connections Open(int count);
  // Runs the tasks that were spawned to their ends; throws what one of them threw.
  void Run();
  void Spawn(Task<void> task);

  Task<void> WriteMany(ApiConnection& connection, std::string what, int count);
  Task<void> Watch(ApiConnection& connection, int changes);
  Task<void> Change(ApiConnection& connection, int changes);

  ApiAddress address_;
  asio::io_context loop_{1};
  SystemClock clock_{loop_.get_executor()};
  std::exception_ptr failure_;
  int next_ = 0;
  std::vector<double> times_;
  std::vector<int> seen_;     // of each change, by how many watches
  const int run_ = getpid();  // stamps of runs before are not ours
};

void Load::Spawn(Task<void> task) {
  asio::co_spawn(loop_, std::move(task), [this](const std::exception_ptr& failure) {
    if (failure && !failure_) failure_ = failure;
    if (failure) loop_.stop();
  });
}

void Load::Run() {
  loop_.restart();
  loop_.run();
  if (failure_) std::rethrow_exception(failure_);
}

Load::Connections Load::Open(int count) {
  Connections connections;
  for (int i = 0; i < count; ++i) {
    Spawn([](Load& load, Connections& made) -> Task<void> {
      made.push_back(co_await ApiConnection::Open(load.loop_.get_executor(), load.address_));
    }(*this, connections));
  }
  Run();
  return connections;
}

ApiRequest RequestFor(std::string_view what, int number) {
  const std::string machine = MachinesTarget() + "/" + MachineName(number);
  if (what == "create-nodes") {
    return {"POST", "/api/v1/nodes", "application/json", SampleNode(number)};
  }
  if (what == "create-machines") {
    return {"POST", MachinesTarget(), "application/json", SampleMachine(number)};
  }
  if (what == "patch-status") {
    return {"PATCH", machine + "/status", "application/merge-patch+json",
            fmt::format(R"({{"status":{{"phase":"Pending","lastOperation":"{}"}}}})", number)};
  }
  return {"PATCH", machine + "?fieldManager=bench&force=true", "application/apply-patch+yaml",
          fmt::format(R"({{"apiVersion":"bench.example.org/v1","kind":"Machine","metadata":{{)"
                      R"("name":"{}","labels":{{"applied":"x{}"}}}},"spec":{{"replicas":2}}}})",
                      MachineName(number), number)};
}

Task<void> Load::WriteMany(ApiConnection& connection, std::string what, int count) {
  while (next_ < count) {
    const ApiRequest request = RequestFor(what, next_++);
    const SteadyTime began = clock_.Elapsed();
    co_await connection.Ask(request);
    times_.push_back(Milliseconds(clock_.Elapsed() - began));
  }
}

void Load::Write(std::string_view what, int count) {
  const Connections connections = Open(kConnections);
  const SteadyTime began = clock_.Elapsed();
  for (const auto& connection : connections) {
    Spawn(WriteMany(*connection, std::string(what), count));
  }
  Run();
  const double seconds = Milliseconds(clock_.Elapsed() - began) / 1000;
  fmt::print("{{\"per_second\":{:.0f},\"p50_ms\":{:.2f},\"p99_ms\":{:.2f}}}\n", count / seconds,
             Percentile(times_, 0.5), Percentile(times_, 0.99));
}

void Load::List(int times) {
  const Connections connections = Open(1);
  std::size_t size = 0;
  Spawn([](Load& load, ApiConnection& connection, int count, std::size_t& bytes) -> Task<void> {
    const ApiRequest request{.method = "GET", .target = MachinesTarget()};
    for (int i = 0; i < count; ++i) {
      const SteadyTime began = load.clock_.Elapsed();
      bytes = (co_await connection.Ask(request)).size();
      load.times_.push_back(Milliseconds(load.clock_.Elapsed() - began));
    }
  }(*this, *connections[0], times, size));
  Run();
  fmt::print("{{\"p50_ms\":{:.1f},\"bytes\":{}}}\n", Percentile(times_, 0.5), size);
}

// Each change carries the time at which it was sent, which every watch compares with its own.
Task<void> Load::Watch(ApiConnection& connection, int changes) {
  std::string text;
  const std::string mark = fmt::format(R"("stamp":"t{}-)", run_);
  const std::string target =
      MachinesTarget() + "?watch=1&fieldSelector=metadata.name%3D" + MachineName(0);
  int left = changes;
  co_await connection.Follow(target, [&](std::string_view piece) {
    text += piece;
    for (auto line = text.find('\n'); line != text.npos; line = text.find('\n')) {
      const std::string_view event = std::string_view(text).substr(0, line);
      if (const auto place = event.find(mark); place != event.npos) {
        std::int64_t sent = 0;
        int number = 0;
        const char* begin = event.data() + place + mark.size();
        const auto stamp = std::from_chars(begin, event.data() + event.size(), sent);
        std::from_chars(stamp.ptr + 1, event.data() + event.size(), number);
        times_.push_back(
            Milliseconds(clock_.Elapsed().time_since_epoch() - std::chrono::nanoseconds(sent)));
        ++seen_.at(static_cast<std::size_t>(number));
        --left;
      }
      text.erase(0, line + 1);
    }
    return left > 0;
  });
}

Task<void> Load::Change(ApiConnection& connection, int changes) {
  // The watches are open once they have got the object as it is; a moment is enough for that.
  co_await SleepFor(clock_, std::chrono::seconds(1));
  for (int i = 0; i < changes; ++i) {
    const auto now = clock_.Elapsed().time_since_epoch();
    const ApiRequest request{
        "PATCH", MachinesTarget() + "/" + MachineName(0), "application/merge-patch+json",
        fmt::format(R"({{"metadata":{{"annotations":{{"stamp":"t{}-{}-{}"}}}}}})", run_,
                    std::chrono::duration_cast<std::chrono::nanoseconds>(now).count(), i)};
    co_await connection.Ask(request);
    while (seen_[static_cast<std::size_t>(i)] < kWatches) {
      co_await SleepFor(clock_, std::chrono::milliseconds(1));
    }
  }
}

void Load::FanOut(int changes) {
  const Connections connections = Open(kWatches + 1);
  seen_.assign(static_cast<std::size_t>(changes), 0);
  for (int i = 0; i < kWatches; ++i) {
    Spawn(Watch(*connections[static_cast<std::size_t>(i)], changes));
  }
  Spawn(Change(*connections.back(), changes));
  Run();
  fmt::print("{{\"p50_ms\":{:.2f},\"p99_ms\":{:.2f}}}\n", Percentile(times_, 0.5),
             Percentile(times_, 0.99));
}

int Main(std::span<char*> arguments) {
  if (arguments.size() != 4) {
    std::fputs("usage: api_load KUBECONFIG WHAT COUNT\n", stderr);
    return 2;
  }
  Load load(arguments[1]);
  const std::string_view what = arguments[2];
  const int count = std::atoi(arguments[3]);
  if (what == "list") {
    load.List(count);
  } else if (what == "fan-out") {
    load.FanOut(count);
  } else {
    load.Write(what, count);
  }
  return 0;
}

}  // namespace
}  // namespace millwright::benchmarks

int main(int argc, char** argv) {
  try {
    return millwright::benchmarks::Main({argv, static_cast<std::size_t>(argc)});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "api_load: %s\n", error.what());
    return 1;
  }
}
