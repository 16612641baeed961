// The network between two simulated processes. What a client sent is on its way when Send waits: if
// the client dies, the server goes on; if the server dies, the client hears that the connection was
// cut.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

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
    kStatus,      // somebody on the way answers with `status`
    kHang,        // nothing happens any more; the sender is about to die
    kHangAfter,   // it is carried out, and then the same
  };

  Kind kind = Kind::kNone;
  int status = 0;
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

 private:
  struct Call;
  class Reader;
  class Writer;

  static Task<void> Serve(std::shared_ptr<Call> call, net::Handler& handler,
                          net::ServerRequest request);
  std::shared_ptr<Call> Begin(net::HttpRequest request);
  WireFault Meddled(const net::HttpRequest& request) const;

  VirtualProcess& client_;
  const ServerPlace& place_;
  const net::PeerIdentity peer_;
  const Meddle meddle_;
  const Edit edit_;
  std::vector<std::weak_ptr<Call>> streams_;
  // Ends with the client: whoever answers later finds nobody.
  std::shared_ptr<int> life_ = std::make_shared<int>(0);
};

}  // namespace millwright::sim
