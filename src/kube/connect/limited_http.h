// Requests no faster than somebody asked for.
#pragma once

#include "base/clock.h"
#include "kube/workqueue/rate_limiter.h"
#include "net/http.h"

namespace millwright::kube {

struct RequestLimit {
  double per_second = 0;
  int burst = 1;
};

// Each request waits for its turn, watches too, as with client-go's limiter.
class LimitedHttp final : public net::Http {
 public:
  LimitedHttp(net::Http& inner, Clock& clock, RequestLimit limit)
      : inner_(inner), clock_(clock), bucket_(limit.per_second, limit.burst) {}

  Task<Result<net::HttpResponse>> Send(net::HttpRequest request) override;
  Task<Result<net::HttpStream>> Open(net::HttpRequest request) override;

 private:
  Task<Result<void>> Wait();

  net::Http& inner_;
  Clock& clock_;
  TokenBucket bucket_;
};

}  // namespace millwright::kube
