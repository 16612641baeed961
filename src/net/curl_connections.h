// Where requests run that go out with one TLS configuration.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "net/curl_loop.h"
#include "net/tls_config.h"

namespace millwright::net {

// Calls wait for one of a limited number of connections. A stream has one of its own, so that a
// reader who takes its time holds up nobody else.
struct CurlConnections {
  CurlConnections(const Executor& executor, TlsConfig tls_in, std::size_t max_calls)
      : tls(std::move(tls_in)),
        calls(executor, std::max<std::size_t>(max_calls, 1)),
        streams(executor, CurlLoop::kUnlimited) {}

  // Ends everything that runs.
  void Close() {
    calls.Close();
    streams.Close();
  }

  std::uint64_t opened() const { return calls.connections_opened() + streams.connections_opened(); }

  const TlsConfig tls;  // above the loops: their connections refer to it
  CurlLoop calls;
  CurlLoop streams;
};

}  // namespace millwright::net
