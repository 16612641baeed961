// /livez, /readyz and /healthz: whether the server works, for probes and for people.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "net/http.h"
#include "net/url.h"

namespace millwright::apiserver {

struct HealthCheck {
  std::string name;
  std::function<Result<void>()> check;
  // Only whether requests may come now: no reason to restart the server.
  bool only_ready = false;
};

// For a path whose first segment is "livez", "readyz" or "healthz"; those that follow name a single
// check. 200 with "ok" or 500 with a line for each check, always with the lines for ?verbose; the
// reason of a failure is shown only to who asks for that check. 404 for a check that is not there.
net::HttpResponse AnswerHealth(const std::vector<HealthCheck>& checks, const net::Target& target);

// The checks that count for "livez", "readyz" or "healthz", with the one that never fails.
std::vector<HealthCheck> ChecksOf(const std::vector<HealthCheck>& checks, std::string_view probe);

}  // namespace millwright::apiserver
