// A real etcd, kube-apiserver and kube-controller-manager for a test program, by
// tools/control-plane.
#pragma once

#include <boost/json/value.hpp>

#include <string>
#include <vector>

namespace millwright::e2e {

struct CommandResult {
  int exit_code = -1;
  std::string output;  // standard output and error
};

// Runs a program to its end.
CommandResult RunCommand(const std::vector<std::string>& arguments);

// One for the whole program, started when first asked for, gone with the program.
class ControlPlane {
 public:
  // Why there is none, for GTEST_SKIP; empty if there is one.
  static std::string Missing();
  static ControlPlane& Shared();

  std::string Kubeconfig(const std::string& user) const;
  const std::string& server() const { return server_; }
  const std::string& ca_file() const { return ca_file_; }
  int etcd_port() const { return etcd_port_; }

  void KillApiserver() { Control({"kill-apiserver"}); }
  void RestartApiserver() { Control({"restart-apiserver"}); }
  void Compact() { Control({"compact"}); }

  // Makes another identity with a certificate; returns its kubeconfig's path.
  std::string MakeIdentity(const std::string& name, const std::vector<std::string>& options);

  // Requests in the audit log by that user and verb since the last mark.
  void Mark() { Control({"mark"}); }
  int Requests(const std::string& user, const std::string& verb);

  // kubectl, as the administrator.
  CommandResult Kubectl(const std::vector<std::string>& arguments) const;

 private:
  ControlPlane();
  std::string Control(const std::vector<std::string>& arguments);

  std::string name_;
  std::string directory_;
  std::string binaries_;
  std::string server_;
  std::string ca_file_;
  int etcd_port_ = 0;
};

}  // namespace millwright::e2e
