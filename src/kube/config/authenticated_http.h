// Requests signed with whatever credentials are current.
#pragma once

#include <functional>

#include "kube/config/auth.h"
#include "kube/config/client_config.h"
#include "net/http.h"

namespace millwright::kube {

// Adds Authorization and the Impersonate fields to each request, unless the caller set them. If the
// server does not accept who we are (401, or the TLS identity refused) and there are other
// credentials by now, sends the request once more with those: a refused request had no effect.
class AuthenticatedHttp final : public net::Http {
 public:
  // Puts another TLS configuration into the port below, such as HttpClient::SetTls. That port must
  // have been given auth.state().tls to begin with.
  using SetTls = std::function<Result<void>(const net::TlsConfig&)>;

  AuthenticatedHttp(net::Http& inner, AuthSource& auth, Impersonation impersonation, SetTls set_tls)
      : inner_(inner),
        auth_(auth),
        impersonation_(std::move(impersonation)),
        set_tls_(std::move(set_tls)),
        tls_generation_(auth.state().tls_generation) {}

  // Besides the errors of the port below, those of the credentials.
  Task<Result<net::HttpResponse>> Send(net::HttpRequest request) override;
  Task<Result<net::HttpStream>> Open(net::HttpRequest request) override;

 private:
  template <class Answer>
  using Call = Task<Result<Answer>> (net::Http::*)(net::HttpRequest);

  template <class Answer>
  Task<Result<Answer>> Exchange(net::HttpRequest request, Call<Answer> call);

  // The current credentials, with the TLS part of them in place.
  Task<Result<AuthState>> Prepare();
  net::HttpRequest Signed(net::HttpRequest request, const AuthState& state) const;

  net::Http& inner_;
  AuthSource& auth_;
  const Impersonation impersonation_;
  const SetTls set_tls_;
  std::uint64_t tls_generation_;  // in place
};

// The Impersonate fields, in the form that client-go sends.
net::Headers ImpersonationHeaders(const Impersonation& impersonation);

}  // namespace millwright::kube
