// The fixture of the tests of CurlHttp.
#pragma once

#include <memory>
#include <stdexcept>
#include <utility>

#include "net/curl_http.h"
#include "net/testing/net_fixture.h"

namespace millwright::net {

class CurlFixture : public NetFixture {
 protected:
  std::unique_ptr<CurlHttp> Client(CurlHttp::Options options) {
    auto client = CurlHttp::Create(executor(), clock_, std::move(options));
    if (!client) throw std::runtime_error(client.error().message());
    return *std::move(client);
  }

  // A client of that server which heeds no proxy of the machine the test runs on.
  std::unique_ptr<CurlHttp> ClientOf(const LocalServer& server, TlsConfig tls = {}) {
    return Client({.base_url = server.url(), .tls = std::move(tls), .proxy = ""});
  }
};

}  // namespace millwright::net
