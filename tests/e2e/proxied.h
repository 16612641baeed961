// A real server behind a FaultProxy.
#pragma once

#include "net/curl_http.h"
#include "tests/e2e/fixture.h"
#include "tests/faults/proxy.h"

namespace millwright::e2e {

class ProxiedTest : public RealServerTest {
 protected:
  // A client that reaches the server as that user, through the proxy.
  faults::FaultProxy& StartProxy(const std::string& user);
  kube::Client& proxied_client() { return *client_; }
  net::Http& proxied_http() { return *downstream_; }

  void TearDown() override;

 private:
  std::unique_ptr<kube::Connection> upstream_;
  std::unique_ptr<faults::FaultProxy> proxy_;
  std::unique_ptr<net::Server> server_;
  std::unique_ptr<net::CurlHttp> downstream_;
  std::unique_ptr<kube::Client> client_;
  TaskGroup serving_{loop_.get_executor()};
};

}  // namespace millwright::e2e
