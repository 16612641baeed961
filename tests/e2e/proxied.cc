#include "tests/e2e/proxied.h"

namespace millwright::e2e {

faults::FaultProxy& ProxiedTest::StartProxy(const std::string& user) {
  upstream_ = Connect(user);
  proxy_ = std::make_unique<faults::FaultProxy>(loop_.get_executor(), clock_, upstream_->http());
  auto server =
      net::Server::Listen(loop_.get_executor(), clock_, {.log = log_->For("proxy")}, *proxy_);
  EXPECT_TRUE(server) << server.error().message();
  server_ = *std::move(server);
  serving_.Spawn([this] { return server_->Run(); });
  net::CurlHttp::Options options;
  options.base_url = "http://127.0.0.1:" + std::to_string(server_->port());
  options.proxy = "";
  auto http = net::CurlHttp::Create(loop_.get_executor(), clock_, std::move(options));
  EXPECT_TRUE(http) << http.error().message();
  downstream_ = *std::move(http);
  client_ = std::make_unique<kube::Client>(*downstream_, "e2e");
  return *proxy_;
}

void ProxiedTest::TearDown() {
  RealServerTest::TearDown();
  if (proxy_) proxy_->CutStreams();
  serving_.Cancel();
  RunUntil([this] { return serving_.size() == 0; });
}

}  // namespace millwright::e2e
