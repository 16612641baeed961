#include "kube/config/authenticated_http.h"

#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace millwright::kube {

namespace {

// A key of `extra` becomes part of a field name, where only token characters may stand.
std::string EscapedFieldName(std::string_view key) {
  constexpr std::string_view kPunctuation = "!#$&'*+-.^_`|~";
  std::string out;
  for (const char c : key) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (letter || kPunctuation.contains(c)) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

template <class Answer>
bool IsRefused(const Result<Answer>& answer) {
  constexpr int kUnauthorized = 401;
  if (answer) return answer->status == kUnauthorized;
  return answer.error().kind() == ErrorKind::kUnauthenticated;
}

}  // namespace

net::Headers ImpersonationHeaders(const Impersonation& impersonation) {
  net::Headers headers;
  if (impersonation.user.empty()) return headers;
  headers.Add("Impersonate-User", impersonation.user);
  if (!impersonation.uid.empty()) headers.Add("Impersonate-Uid", impersonation.uid);
  for (const std::string& group : impersonation.groups) headers.Add("Impersonate-Group", group);
  for (const auto& [key, values] : impersonation.extra) {
    const std::string name = "Impersonate-Extra-" + EscapedFieldName(key);
    for (const std::string& value : values) headers.Add(name, value);
  }
  return headers;
}

Task<Result<net::HttpResponse>> AuthenticatedHttp::Send(net::HttpRequest request) {
  return Exchange<net::HttpResponse>(std::move(request), &net::Http::Send);
}

Task<Result<net::HttpStream>> AuthenticatedHttp::Open(net::HttpRequest request) {
  return Exchange<net::HttpStream>(std::move(request), &net::Http::Open);
}

template <class Answer>
Task<Result<Answer>> AuthenticatedHttp::Exchange(net::HttpRequest request, Call<Answer> call) {
  const bool own_credentials = request.headers.Find("Authorization").has_value();
  CO_TRY(const AuthState used, co_await Prepare());
  if (own_credentials || !auth_.CanChange()) {
    co_return co_await (inner_.*call)(Signed(std::move(request), used));
  }
  auto answer = co_await (inner_.*call)(Signed(request, used));
  if (!IsRefused(answer)) co_return answer;

  auth_.Invalidate(used);
  CO_TRY(const AuthState now, co_await Prepare());
  if (now.generation == used.generation) co_return answer;
  co_return co_await (inner_.*call)(Signed(std::move(request), now));
}

Task<Result<AuthState>> AuthenticatedHttp::Prepare() {
  CO_TRY(AuthState state, co_await auth_.Current());
  if (state.tls_generation != tls_generation_) {
    const auto set = set_tls_(*state.tls);
    if (!set) {
      Error error = set.error();
      co_return Failure(std::move(error).Wrap("using the new client certificate"));
    }
    tls_generation_ = state.tls_generation;
  }
  co_return state;
}

net::HttpRequest AuthenticatedHttp::Signed(net::HttpRequest request, const AuthState& state) const {
  if (state.authorization != nullptr && !request.headers.Find("Authorization")) {
    request.headers.Add("Authorization", state.authorization->Reveal());
  }
  if (!request.headers.Find("Impersonate-User")) {
    for (const auto& [name, value] : ImpersonationHeaders(impersonation_)) {
      request.headers.Add(name, value);
    }
  }
  return request;
}

}  // namespace millwright::kube
