// Tells how requests went; metrics are made from that.
#pragma once

#include <functional>
#include <string>

#include "base/clock.h"
#include "net/http.h"

namespace millwright::kube {

struct RequestReport {
  const std::string& method;
  int status = 0;   // 0: there was no answer
  Duration took{};  // until the answer, or the head of a streamed one
};

using RequestObserver = std::function<void(const RequestReport&)>;

class ObservedHttp final : public net::Http {
 public:
  ObservedHttp(net::Http& inner, Clock& clock, RequestObserver observer)
      : inner_(inner), clock_(clock), observer_(std::move(observer)) {}

  Task<Result<net::HttpResponse>> Send(net::HttpRequest request) override;
  Task<Result<net::HttpStream>> Open(net::HttpRequest request) override;

 private:
  template <class Answer>
  Task<Result<Answer>> Observe(std::string method, Task<Result<Answer>> answer);

  net::Http& inner_;
  Clock& clock_;
  RequestObserver observer_;
};

}  // namespace millwright::kube
