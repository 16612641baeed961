// A real etcd, kube-apiserver and kube-controller-manager, by tools/control-plane.
#pragma once

#include "tests/e2e/control_plane.h"

namespace millwright::e2e {

class RealControlPlane final : public ControlPlane {
 public:
  static std::string Missing();

  RealControlPlane();

  std::string UserName(const std::string& user) const override { return user; }
  std::string AnotherHttpServer() const override { return etcd_; }
  void KillApiserver() override { Control({"kill-apiserver"}); }
  void RestartApiserver() override { Control({"restart-apiserver"}); }
  bool Compact() override;
  std::string MakeIdentity(const std::string& name,
                           const std::vector<std::string>& options) override;

 private:
  std::string Control(const std::vector<std::string>& arguments);

  std::string name_;
  std::string etcd_;
};

}  // namespace millwright::e2e
