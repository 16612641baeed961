// The network between two simulated processes. What a client sent is on its way
// when Send waits: if the client dies, the server goes on; if the server dies,
// the client hears that the connection was cut.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/virtual/world.h"
#include "net/http.h"
#include "net/server_handler.h"

namespace millwright::sim {

// The place of a server that may be away, or another one later.
struct ServerPlace {
  VirtualProcess* process = nullptr;  // null: nobody is there
  net::Handler* handler = nullptr;
};

// What the network does to one request.
struct WireFault {
  enum class Kind {
    kNone,
    kRefused,     // it never arrives
    kAnswerLost,  // it is carried out, and the answer never arrives
    kSlow,        // it is carried out, and the answer comes `delay` later
    kStatus,      // somebody on the way answers with `status`
    kHang,        // nothing happens any more; the sender is about to die
    kHangAfter,   // it is carried out, and then the same
  };

  Kind kind = Kind::kNone;
  int status = 0;
  std::string retry_after = {};  // what the answer says, if anything
  Duration delay{};
  std::function<void()> hung = nullptr;  // called when nothing happens any more
};

class Wire final : public net::Http {
 public:
  using Meddle = std::function<WireFault(const net::HttpRequest&)>;
  // A planted bug: the request is another one.
  using Edit = void (*)(net::HttpRequest&);

  // Lives in the client's process; `place` outlives it.
  Wire(VirtualProcess& client, const ServerPlace& place, net::PeerIdentity peer,
       Meddle meddle = nullptr, Edit edit = nullptr);
  ~Wire() override;

  Task<Result<net::HttpResponse>> Send(net::HttpRequest request) override;
  Task<Result<net::HttpStream>> Open(net::HttpRequest request) override;

  // Every stream that is open now ends half-way.
  void CutStreams();
  // And every request that is on its way: the server goes on with it, and
  // nobody hears of it.
  void CutAll();

  // The client's process stands still: it hears of nothing until it goes on.
  void Pause(bool pause);
  // Nothing comes through streams; what was said meanwhile comes when they flow
  // again.
  void HoldStreams(bool hold);
  // And of what was said meanwhile about an object, only the last.
  void MergeHeld(bool merge);
  // Each event of a stream comes twice.
  void RepeatEvents(bool repeat);
  // Lists show what was there at that revision, as a server that lags behind
  // would, and initial events cannot be had; 0: as it is.
  void ListAsOf(std::int64_t revision) { list_as_of_ = revision; }

 private:
  struct Call;
  // What calls know of the client, while it lives.
  struct Line {
    bool paused = false;
    bool held = false;
    bool merged = false;
    bool repeated = false;
    std::vector<std::weak_ptr<Call>> untold;  // while it is paused
  };
  class Reader;
  class Writer;

  static Task<void> Serve(std::shared_ptr<Call> call, net::Handler& handler,
                          net::ServerRequest request);
  std::shared_ptr<Call> Begin(net::HttpRequest request);
  WireFault Meddled(const net::HttpRequest& request) const;
  void Cut(std::vector<std::weak_ptr<Call>>& calls);

  VirtualProcess& client_;
  const ServerPlace& place_;
  const net::PeerIdentity peer_;
  const Meddle meddle_;
  const Edit edit_;
  VirtualClock clock_;
  std::int64_t list_as_of_ = 0;
  std::vector<std::weak_ptr<Call>> requests_;
  std::vector<std::weak_ptr<Call>> streams_;
  // Ends with the client: whoever answers later finds nobody.
  std::shared_ptr<Line> line_ = std::make_shared<Line>();
};

}  // namespace millwright::sim
