// Asking the cluster for a certificate, as a kubelet does, and waiting until it is issued.
#pragma once

#include <optional>
#include <string>

#include "agent/keys.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/random.h"
#include "kube/client/client.h"

namespace millwright::agent {

// The certificate as PEM, for as long as `life` says, else for as long as the cluster likes. The
// request may have been made before: then that one is waited for. kPermission if it was denied or
// cannot be signed, kUnavailable if somebody deleted it; otherwise the errors of making the
// request.
Task<Result<std::string>> ObtainCertificate(kube::Client& client, Clock& clock, Random& random,
                                            Logger log, SigningRequest request,
                                            std::optional<Duration> life);

}  // namespace millwright::agent
