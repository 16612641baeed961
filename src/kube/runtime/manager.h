// Runs a process's parts: those that always run, those that only the leader runs, and the page that
// says how they are. Stops them in order.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/log.h"
#include "base/metrics.h"
#include "base/task_group.h"
#include "kube/leader/elector.h"
#include "kube/runtime/status_pages.h"
#include "net/server.h"

namespace millwright::kube {

struct ManagerOptions {
  // Where health, readiness and metrics are served; none: nowhere.
  std::optional<net::ServerOptions> status_server;
  bool profiling = false;  // serve /debug/pprof/ too

  // To be held all at once, taken in this order: whoever takes several takes them in the same order
  // everywhere. None: every process works, as with a single replica.
  std::vector<ElectorOptions> leases;
};

enum class ManagerOutcome {
  kStopped,       // asked to; everything has ended and the lease is released
  kLostLease,     // somebody else leads now, or may: the process should start over
  kCannotListen,  // the status server's address is taken
};

class Manager {
 public:
  using Part = std::function<Task<void>()>;

  Manager(Executor executor, Clock& clock, Random& random, Client& client, Metrics& metrics,
          Logger log, ManagerOptions options);

  // Caches and servers. All of these start before, and end after, what the leader runs.
  void Add(std::string name, Part part) { parts_.push_back({std::move(name), std::move(part)}); }

  // Controllers: only while this process leads.
  void AddForLeader(std::string name, Part part) {
    leader_parts_.push_back({std::move(name), std::move(part)});
  }

  // Checks, and updates before a scrape, are added here.
  StatusPages& pages() { return pages_; }

  // Runs until cancelled or the lease is lost. How long stopping may take is the process's business
  // (cli/process.h): a part that does not end cannot be left behind safely by any other means.
  Task<ManagerOutcome> Run();

  // The port of the status server once it listens.
  std::uint16_t status_port() const { return status_port_; }

 private:
  struct Named {
    std::string name;
    Part run;
  };

  Task<void> RunLeaderParts();
  Task<void> RunNamed(Named part);
  // With the leases before that one in hand. Sets `lost` if one of the others is lost.
  Task<void> Lead(std::size_t lease, bool& lost);

  Executor executor_;
  Clock& clock_;
  Random& random_;
  Client& client_;
  Logger log_;
  const ManagerOptions options_;
  StatusPages pages_;
  std::vector<Named> parts_;
  std::vector<Named> leader_parts_;
  std::uint16_t status_port_ = 0;
};

}  // namespace millwright::kube
