// Watches: the changes of a scope as they happen, as a stream of events.
#pragma once

#include "apiserver/rest/call.h"
#include "apiserver/rest/options.h"

namespace millwright::apiserver {

// The stream must not outlive the services. A moment that is gone is an ERROR event in the stream,
// as from a kube-apiserver.
Result<Answer> WatchObjects(const Services& services, const Call& call, const ListOptions& options);

}  // namespace millwright::apiserver
