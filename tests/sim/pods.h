// What runs on the machines: pods that a scheduler places and kubelets start and end, volumes of
// some of them that are attached and detached, and a budget that says how many must stay.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/sim/cluster.h"

namespace millwright::sim {

class Pods {
 public:
  // So many pods are wished at any time, every other one with a volume; a budget keeps `least`.
  Pods(Cluster& cluster, int wished, int least);
  ~Pods();
  Pods(const Pods&) = delete;
  Pods& operator=(const Pods&) = delete;

  // The user has no more need of them: pods and budget go.
  void End();

 private:
  static Task<void> Run(Pods& self);
  Task<void> LookAt(const boost::json::value& pod);
  Task<void> SeeToVolume(int slot);
  Task<void> Attach(int slot, std::string node);
  Task<void> Detach(int slot, std::string node);
  Task<void> Report(std::string node, int slot, bool attached);
  Task<void> Place(int slot);
  Task<void> Send(std::string method, std::string target, std::string body = {});
  // The node of the pod in a slot; empty: there is none.
  std::string NodeOfSlot(int slot) const;
  std::optional<std::string> AttachedTo(int slot) const;
  bool IsReady(const std::string& node) const;
  // Nodes that take pods.
  std::vector<std::string> OpenNodes() const;
  std::vector<boost::json::value> Stored(const char* scope) const;
  bool Lives(const std::string& node) const;

  Cluster& cluster_;
  int wished_;
  int serial_ = 0;
  std::pair<apiserver::Revision, std::size_t> seen_{};
  VirtualProcess process_;
  VirtualClock clock_;
  Wire wire_;
};

}  // namespace millwright::sim
