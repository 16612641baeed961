// For tests: connections to workload clusters without a network.
#pragma once

#include <memory>
#include <string>

#include "controllers/contract/shared/remote_dialer.h"
#include "kube/client/client.h"

namespace millwright::controllers::contract {

// The kubeconfig "good" leads to the cluster that most tests use, "second" to another if there is
// one.
class FakeDialer final : public RemoteDialer {
 public:
  explicit FakeDialer(net::Http& http) : http_(http) {}

  Result<std::unique_ptr<RemoteConnection>> Dial(const std::string& kubeconfig) override {
    ++dials;
    if (kubeconfig == "second" && second != nullptr) {
      return std::make_unique<FakeConnection>(*second);
    }
    if (kubeconfig != "good") return Fail(ErrorKind::kInvalid, "not understood");
    return std::make_unique<FakeConnection>(http_);
  }

  int dials = 0;
  net::Http* second = nullptr;

 private:
  class FakeConnection final : public RemoteConnection {
   public:
    explicit FakeConnection(net::Http& http) : http_(http), client_(http, "contract") {}
    kube::Client& client() override { return client_; }
    net::Http& http() override { return http_; }

   private:
    net::Http& http_;
    kube::Client client_;
  };

  net::Http& http_;
};

}  // namespace millwright::controllers::contract
