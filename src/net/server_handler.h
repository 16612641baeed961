// What a server hands to the code that answers requests, and takes back.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/task.h"
#include "net/http.h"

namespace millwright::net {

// Who is at the other end of a connection.
struct PeerIdentity {
  std::string address;  // "127.0.0.1:40000", "[::1]:40000"
  // A client certificate was shown and the client authorities vouch for it. What follows is filled
  // only then.
  bool verified = false;
  std::string common_name;
  std::vector<std::string> organizations;
  std::vector<std::string> dns_names;
  std::vector<std::string> uris;
  std::vector<std::string> emails;
  std::vector<std::string> ip_addresses;
  std::string fingerprint;  // SHA-256 of the whole certificate, in hexadecimal digits

  friend bool operator==(const PeerIdentity&, const PeerIdentity&) = default;
};

struct ServerRequest {
  HttpRequest http;
  PeerIdentity peer;
};

// Sends a body of unknown length.
class BodyWriter {
 public:
  virtual ~BodyWriter() = default;

  // Returns when the piece has been handed to the network, so a slow client slows its stream down.
  // kCancelled when the client is gone. One call at a time.
  virtual Task<Result<void>> Write(std::string piece) = 0;
};

// Writes the body piece by piece. Its task is cancelled when the client goes or the server stops;
// it then returns soon. Success ends the body properly, also after a cancellation; a failure cuts
// the connection, so that the client cannot take what it got for the whole.
using BodyStream = std::move_only_function<Task<Result<void>>(BodyWriter&)>;

// Either a whole answer, or a head with a stream after it (and after `http.body`, if there is one).
// Length, framing, Date and the body of an answer to HEAD are the server's business. The field
// "Connection: close" is obeyed.
struct ServerResponse {
  HttpResponse http;
  BodyStream stream = nullptr;
  bool cut = false;  // no answer at all: the connection ends here, as if the server had died
};

class Handler {
 public:
  virtual ~Handler() = default;

  // Requests of one connection come one after the other, those of different ones at the same time.
  // An exception is answered with 500 and logged. The task is cancelled only when a stopping server
  // has waited long enough.
  virtual Task<ServerResponse> Handle(ServerRequest request) = 0;
};

}  // namespace millwright::net
