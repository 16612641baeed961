#include "controllers/contract/remote/probe.h"

namespace millwright::controllers::contract {

void Note(RemoteHealth& health, ProbeAnswer answer, WallTime now) {
  health.last_probe = now;
  if (answer == ProbeAnswer::kWell) {
    health.last_success = now;
    health.failures = 0;
  } else {
    ++health.failures;
  }
}

bool EndsConnection(const RemoteHealth& health, ProbeAnswer answer) {
  return answer == ProbeAnswer::kUnauthenticated || health.failures >= kFailuresToDisconnect;
}

Task<ProbeAnswer> Probe(net::Http& http) {
  net::HttpRequest request;
  request.target = "/";
  request.timeout = kProbePatience;
  const Result<net::HttpResponse> answer = co_await http.Send(std::move(request));
  if (!answer) {
    co_return answer.error().kind() == ErrorKind::kUnauthenticated ? ProbeAnswer::kUnauthenticated
                                                                   : ProbeAnswer::kFailed;
  }
  if (answer->status == 401) co_return ProbeAnswer::kUnauthenticated;
  co_return answer->status < 400 ? ProbeAnswer::kWell : ProbeAnswer::kFailed;
}

bool IsSelf(const OwnPod& self, const std::optional<kube::Meta>& found) {
  return found && found->key == self.key && found->uid == self.uid;
}

}  // namespace millwright::controllers::contract
