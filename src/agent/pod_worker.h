// Follows the pods that are bound to a node and does what there is to do for them.
#pragma once

#include "agent/pods.h"
#include "kube/informer/informer.h"
#include "kube/runtime/controller.h"

namespace millwright::agent {

class PodWorker {
 public:
  PodWorker(const Executor& executor, kube::Client& client, Clock& clock, Random& random,
            const Logger& log, const std::string& node, std::string address);

  // Until it is cancelled.
  Task<void> Run();

 private:
  Task<Result<kube::Requeue>> Reconcile(kube::ObjectKey key);

  kube::Client& client_;
  Clock& clock_;
  const std::string address_;
  kube::Informer<PodView> pods_;
  kube::Controller controller_;
  TaskGroup tasks_;
};

}  // namespace millwright::agent
