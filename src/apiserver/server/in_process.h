// Calls to the embedded server from the same process: no sockets, no TLS, the same answers.
#pragma once

#include <memory>

#include "base/task_group.h"
#include "net/http.h"
#include "net/server_handler.h"

namespace millwright::apiserver {

class InProcessHttp final : public net::Http {
 public:
  // The handler must outlive all requests. `peer` is who we say we are.
  InProcessHttp(const Executor& executor, net::Handler& handler, net::PeerIdentity peer);

  Task<Result<net::HttpResponse>> Send(net::HttpRequest request) override;
  Task<Result<net::HttpStream>> Open(net::HttpRequest request) override;

  // Ends all streams. To be awaited before this goes.
  Task<void> Close();

 private:
  const Executor executor_;
  net::Handler& handler_;
  const net::PeerIdentity peer_;
  TaskGroup streams_;
};

}  // namespace millwright::apiserver
