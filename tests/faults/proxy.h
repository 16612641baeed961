// Stands between a client and a server and does what a FaultScript says.
#pragma once

#include <map>
#include <memory>

#include "base/clock.h"
#include "net/server.h"
#include "tests/faults/script.h"

namespace millwright::faults {

class FaultProxy final : public net::Handler {
 public:
  // `upstream` is the real server; credentials of the client pass through to it.
  FaultProxy(const Executor& executor, Clock& clock, net::Http& upstream);

  FaultScript& script() { return script_; }

  // Ends every stream that goes through now, frozen ones too, and answers that are held back.
  void CutStreams();

  int requests() const { return requests_; }

  Task<net::ServerResponse> Handle(net::ServerRequest request) override;

 private:
  Task<net::ServerResponse> Forward(net::HttpRequest request, std::optional<FaultAction> action);
  Task<net::ServerResponse> HoldBack();
  Task<net::ServerResponse> ForwardWatch(net::HttpRequest request,
                                         std::optional<FaultAction> action);
  Task<Result<void>> Relay(net::BodyWriter& writer, net::BodyReader& reader,
                           std::optional<FaultAction> action);
  Task<void> Copy(net::BodyWriter& writer, net::BodyReader& reader,
                  std::optional<FaultAction> action, std::optional<Result<void>>& outcome);
  Task<Result<void>> CopyPieces(net::BodyWriter& writer, net::BodyReader& reader,
                                std::optional<FaultAction> action);

  Clock& clock_;
  net::Http& upstream_;
  FaultScript script_;
  std::map<std::string, net::HttpResponse> first_answers_;  // of reads, for kStale
  int requests_ = 0;
  int cuts_ = 0;
  Signal changed_;  // a stream ended, or all are to be cut
};

}  // namespace millwright::faults
