// What one client may cost the server.
#pragma once

#include <cstddef>

#include "base/time.h"

namespace millwright::net {

struct ServerLimits {
  std::size_t header_bytes = 64UL * 1024;      // beyond: 431
  std::size_t body_bytes = 3UL * 1024 * 1024;  // beyond: 413; what kube-apiserver accepts
  // At this many, new ones wait in the kernel's queue, and the longest idle one is closed for them.
  std::size_t connections = 1000;

  // A connection that takes longer is cut.
  Duration header_time = std::chrono::seconds(10);  // for a handshake, and for a request's head
  Duration body_time = std::chrono::seconds(60);    // for the whole of a request's body
  Duration write_time = std::chrono::seconds(60);   // for the client to take one piece of an answer
  Duration idle_time = std::chrono::seconds(120);   // between requests; libcurl reuses up to 118 s
  Duration linger_time = std::chrono::seconds(2);   // for the client to read our last words

  Duration stop_time = std::chrono::seconds(30);  // for requests in flight when the server stops
};

}  // namespace millwright::net
