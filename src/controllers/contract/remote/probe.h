// Whether a cluster answers, and what follows from it. The rules are pure.
#pragma once

#include <optional>

#include "base/time.h"
#include "controllers/contract/shared/remote_dialer.h"
#include "net/http.h"

namespace millwright::controllers::contract {

inline constexpr Duration kProbePeriod = std::chrono::seconds(10);
inline constexpr Duration kProbePatience = std::chrono::seconds(5);
inline constexpr int kFailuresToDisconnect = 5;
inline constexpr Duration kRetryConnect = std::chrono::seconds(30);
inline constexpr Duration kSyncPatience = std::chrono::minutes(5);

enum class ProbeAnswer { kWell, kFailed, kUnauthenticated };

struct RemoteHealth {
  std::optional<WallTime> last_probe;
  std::optional<WallTime> last_success;
  int failures = 0;  // one after the other

  friend bool operator==(const RemoteHealth&, const RemoteHealth&) = default;
};

// An attempt to connect that failed counts as a probe that failed.
void Note(RemoteHealth& health, ProbeAnswer answer, WallTime now);

// Credentials that are not accepted may have been replaced: that is found out by connecting anew.
bool EndsConnection(const RemoteHealth& health, ProbeAnswer answer);

Task<ProbeAnswer> Probe(net::Http& http);

// Whether a pod of the cluster is this process. None: there is no such pod.
bool IsSelf(const OwnPod& self, const std::optional<kube::Meta>& found);

}  // namespace millwright::controllers::contract
