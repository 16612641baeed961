// Machines for the API server in the same process.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "cli/process.h"
#include "cli/provider_flags.h"
#include "net/server.h"
#include "net/server_handler.h"

namespace millwright::cli {

struct MetricsListen {
  std::string address;
  std::uint16_t port = 0;
};

struct StandaloneMachines {
  std::string dialect;  // empty: no machines, only the API
  bool sample = false;  // make three local machines to begin with
  std::filesystem::path directory;
  std::string url;  // where machines find the server
  std::string ca_pem;
  std::string kubeconfig;                // the text of one for everything
  net::TlsSource identity;               // of this server
  RemoteProviders remote;                // besides those of this process
  std::string default_provider;          // for classes whose own nobody serves; empty: none
  std::optional<MetricsListen> metrics;  // none: nobody asks
};

// Null, and said, if nobody can listen there: machines go on without it.
std::unique_ptr<net::Server> ServeMetrics(const Process& process, const MetricsListen& listen,
                                          net::Handler& pages, const Logger& log);

// Teaches the server the dialect's kinds and runs its controllers until cancelled. Says on the
// terminal what happens to machines.
Task<void> RunMachines(Process process, net::Handler& server, StandaloneMachines options);

}  // namespace millwright::cli
