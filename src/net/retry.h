// Asks again where that is safe.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/random.h"
#include "net/http.h"

namespace millwright::net {

struct RetryPolicy {
  int max_attempts = 4;  // the first one included
  Duration first_delay = std::chrono::milliseconds(200);
  double factor = 2;
  Duration max_delay = std::chrono::seconds(10);        // of our own back-off
  Duration max_retry_after = std::chrono::seconds(30);  // asked to wait longer, we give up at once
  double jitter = 0.5;                                  // up to this part of a delay is added to it
  Duration deadline = std::chrono::minutes(1);          // no attempt begins later than this
};

// How one attempt ended: with an error, or with a status and what its Retry-After said.
struct AttemptOutcome {
  std::optional<ErrorKind> error{};
  int status = 0;
  std::optional<std::string> retry_after{};
};

// How long to wait before the next attempt; none: there is to be none. `attempt` counts from 1.
//
// GET and HEAD are repeated when there was no answer or one that says "later" (429, 502, 503, 504);
// any method is when 429 or 503 came with a Retry-After, as such a request was turned away unread.
std::optional<Duration> PlanRetry(int attempt, std::string_view method,
                                  const AttemptOutcome& outcome, WallTime now,
                                  const RetryPolicy& policy);

// The field's value, seconds or a date, as a delay from now; none if it is neither. Never negative.
std::optional<Duration> ParseRetryAfter(std::string_view value, WallTime now);

// What an answer asks for. A date counts from the answer's own Date: both are of the server's
// clock, which may differ from ours. None if it asks for nothing that can be understood.
std::optional<Duration> RetryAfterOf(const Headers& headers);

// Repeats requests as PlanRetry says. When it gives up, the caller gets the last outcome. Streams
// are opened once: whoever reads one has to begin anew by himself anyway.
class RetryingHttp final : public Http {
 public:
  RetryingHttp(Http& http, Clock& clock, Random& random, RetryPolicy policy)
      : http_(http), clock_(clock), random_(random), policy_(policy) {}

  Task<Result<HttpResponse>> Send(HttpRequest request) override;
  Task<Result<HttpStream>> Open(HttpRequest request) override {
    return http_.Open(std::move(request));
  }

 private:
  Http& http_;
  Clock& clock_;
  Random& random_;
  const RetryPolicy policy_;
};

}  // namespace millwright::net
