#include "kube/connect/limited_http.h"

namespace millwright::kube {

Task<Result<void>> LimitedHttp::Wait() {
  const Duration delay = bucket_.Reserve(clock_.Elapsed());
  if (delay <= Duration::zero()) co_return Ok();
  if (co_await SleepFor(clock_, delay) == Wake::kTimeout) co_return Ok();
  co_return Fail(ErrorKind::kCancelled, "cancelled before it was sent");
}

Task<Result<net::HttpResponse>> LimitedHttp::Send(net::HttpRequest request) {
  CO_CHECK(co_await Wait());
  co_return co_await inner_.Send(std::move(request));
}

Task<Result<net::HttpStream>> LimitedHttp::Open(net::HttpRequest request) {
  CO_CHECK(co_await Wait());
  co_return co_await inner_.Open(std::move(request));
}

}  // namespace millwright::kube
