// Nodes for instances that have no node agent of their own: written as a kubelet would write them.
#pragma once

#include <map>
#include <string>

#include "base/clock.h"
#include "base/signal.h"
#include "base/timer_queue.h"
#include "kube/client/client.h"
#include "providers/cloud.h"

namespace millwright::controllers {

class ApiNodeJoiner final : public providers::NodeJoiner {
 public:
  ApiNodeJoiner(const Executor& executor, kube::Client& target, Clock& clock)
      : target_(target), clock_(clock), changed_(executor) {}

  Task<Result<void>> Join(Node node) override;
  Task<Result<void>> SetReady(std::string name, bool ready, std::string reason) override;

  // Keeps the leases of the nodes that are well, until cancelled: without that whoever looks after
  // nodes takes them for lost. Not needed where nobody does.
  Task<void> RunHeartbeats();

 private:
  Task<void> Renew(std::string node, Uid uid);
  void Keep(const std::string& node, Uid uid);

  kube::Client& target_;
  Clock& clock_;
  std::map<std::string, Uid> well_;  // nodes by name: their leases go with them
  TimerQueue<std::string> due_;
  Signal changed_;
};

}  // namespace millwright::controllers
