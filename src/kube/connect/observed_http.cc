#include "kube/connect/observed_http.h"

namespace millwright::kube {

template <class Answer>
Task<Result<Answer>> ObservedHttp::Observe(std::string method, Task<Result<Answer>> answer) {
  const SteadyTime began = clock_.Elapsed();
  Result<Answer> result = co_await std::move(answer);
  observer_(
      {.method = method, .status = result ? result->status : 0, .took = clock_.Elapsed() - began});
  co_return result;
}

Task<Result<net::HttpResponse>> ObservedHttp::Send(net::HttpRequest request) {
  std::string method = request.method;
  return Observe(std::move(method), inner_.Send(std::move(request)));
}

Task<Result<net::HttpStream>> ObservedHttp::Open(net::HttpRequest request) {
  std::string method = request.method;
  return Observe(std::move(method), inner_.Open(std::move(request)));
}

}  // namespace millwright::kube
