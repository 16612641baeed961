// Our own server, `millwright standalone`, on a disk of its own.
#pragma once

#include "tests/e2e/control_plane.h"

namespace millwright::e2e {

class EmbeddedControlPlane final : public ControlPlane {
 public:
  EmbeddedControlPlane();
  ~EmbeddedControlPlane() override;

  std::string UserName(const std::string& user) const override {
    return "system:serviceaccount:kube-system:" + user;
  }
  std::string AnotherHttpServer() const override { return ""; }
  void KillApiserver() override { process_.Kill(); }
  void RestartApiserver() override;
  bool Compact() override { return false; }
  std::string MakeIdentity(const std::string& name,
                           const std::vector<std::string>& options) override;

 private:
  // On that port, or on any that is free.
  void Start(const std::string& port);
  void Identities(const std::vector<std::string>& arguments);

  BesideTest process_;
};

}  // namespace millwright::e2e
