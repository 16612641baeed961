// HTTP/1.1 on one connection: requests come in, the handler answers, one after the other.
#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/log.h"
#include "base/signal.h"
#include "base/task.h"
#include "base/task_group.h"
#include "net/server_handler.h"
#include "net/server_limits.h"
#include "net/server_message.h"
#include "net/server_parser.h"
#include "net/server_stream.h"
#include "net/server_watchdog.h"

namespace millwright::net {

// What the connections of a server share; outlives them.
struct ConnectionContext {
  Executor executor;
  Handler& handler;
  Clock& clock;
  Watchdog& watchdog;
  const ServerLimits& limits;
  const Logger& log;
  Signal& idle;  // notified when a connection becomes idle
};

class ServerConnection {
 public:
  ServerConnection(const ConnectionContext& context, std::unique_ptr<ByteStream> stream);

  // Until either side has had enough; nothing is left behind.
  Task<void> Serve();

  // Asks for the end: at once if nothing is under way, else after the present answer, which says so
  // if it has not begun. A stream is cancelled.
  void Drain();

  // The end, now. A handler that is still at work must be cancelled besides, with the task of
  // Serve.
  void Cut() { stream_->Abort(); }

  // Between two requests, and since when.
  bool is_idle() const { return phase_ == Phase::kIdle; }
  SteadyTime idle_since() const { return idle_since_; }

 private:
  enum class Phase {
    kGreeting,   // no request yet
    kIdle,       // waiting for the next request
    kReading,    // a request has begun
    kAnswering,  // the handler or the network has it
    kStreaming,  // the answer is a stream
  };

  // What the next bytes should bring; each has its own time limit.
  enum class Awaited { kNothing, kRequest, kHead, kBody };

  // What a stream says about itself while it runs.
  struct StreamState {
    bool ended = false;
    bool whole = false;  // ended well
  };
  class StreamWriter;

  // These return true if another request may follow.
  Task<bool> Greet();
  Task<bool> ServeOne();
  Task<bool> Refuse(Rejection rejection);
  Task<bool> SendWhole(HttpResponse response, Framing framing, bool head_only);
  Task<bool> SendStream(ServerResponse response, Framing framing);

  Task<std::expected<IncomingRequest, Rejection>> ReadRequest();
  Task<ServerResponse> Answer(IncomingRequest request);
  Task<bool> StreamToClient(BodyStream stream, bool chunked);
  Task<void> RunStream(BodyStream stream, BodyWriter& writer, StreamState& state);
  Task<void> WatchClient();
  Task<void> Goodbye();

  // More bytes at the end of unread_; false if none will come.
  Task<bool> ReadMore();
  Task<bool> ReadOnce();

  // kCancelled if the client is gone.
  Task<Result<void>> Send(std::string bytes);

  Watchdog::Limit WaitFor(Awaited awaited);

  // Fixed after construction.
  const ConnectionContext context_;
  const std::unique_ptr<ByteStream> stream_;

  // State.
  PeerIdentity peer_;
  Phase phase_ = Phase::kGreeting;
  SteadyTime idle_since_{};
  bool first_ = true;
  bool draining_ = false;
  bool gone_ = false;     // the client has hung up, or was hung up on
  bool reading_ = false;  // WatchClient has a read under way
  std::array<char, 8192> incoming_;
  std::string unread_;  // came in, belongs to no request yet
  Signal changed_;      // gone_, reading_, draining_, or the state of a stream

  // Background work.
  TaskGroup watching_;
};

}  // namespace millwright::net
