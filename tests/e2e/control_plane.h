// The server that the tests of a program run against: a real etcd, kube-apiserver and
// kube-controller-manager, or, with MILLWRIGHT_E2E_SERVER=embedded, our own in a process of its
// own.
#pragma once

#include <string>
#include <vector>

#include "tests/e2e/run_command.h"

namespace millwright::e2e {

// One for the whole program, started when first asked for, gone with the program.
class ControlPlane {
 public:
  // Why there is none, for GTEST_SKIP; empty if there is one.
  static std::string Missing();
  static ControlPlane& Shared();

  virtual ~ControlPlane() = default;

  // A kubeconfig of one of the identities that tools/control-plane knows.
  std::string Kubeconfig(const std::string& user) const;
  const std::string& server() const { return server_; }
  const std::string& ca_file() const { return ca_file_; }

  // By which name the server knows an identity that has a token.
  virtual std::string UserName(const std::string& user) const = 0;

  // The address of something that speaks HTTP and is no Kubernetes; empty if there is none.
  virtual std::string AnotherHttpServer() const = 0;

  virtual void KillApiserver() = 0;
  virtual void RestartApiserver() = 0;

  // Makes it forget its history. A server that cannot be told to says false.
  virtual bool Compact() = 0;

  // Makes another identity with a certificate; returns its kubeconfig's path.
  virtual std::string MakeIdentity(const std::string& name,
                                   const std::vector<std::string>& options) = 0;

 protected:
  std::string directory_;
  std::string server_;
  std::string ca_file_;
};

}  // namespace millwright::e2e
