// Requests to API servers under the names that client-go gave them.
#pragma once

#include <string>

#include "base/metrics.h"
#include "kube/connect/observed_http.h"

namespace millwright::controllers {

// Counts the requests to one host. The metrics outlive what is returned.
kube::RequestObserver CountRequests(Metrics& metrics, std::string host);

}  // namespace millwright::controllers
