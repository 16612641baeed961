// Nodes without a machine are marked as none of ours, so that nobody waits for us; and the mark is
// taken back when a machine has come for them. Nodes are never removed here. A node that joins
// while its machine goes takes no pods.
#pragma once

#include "controllers/shared/caches.h"
#include "controllers/shared/node_writer.h"
#include "core/safety/orphans.h"
#include "kube/runtime/controller.h"

namespace millwright::controllers {

class NodeController {
 public:
  // There must be nodes to look at (Caches::nodes).
  NodeController(Surroundings& surroundings, Caches& caches);

  // Runs until cancelled; the caches must be synced.
  Task<void> Run() { return controller_.Run(); }
  kube::Controller& controller() { return controller_; }

 private:
  Task<Result<kube::Requeue>> Look(kube::ObjectKey key);
  bool IsGoing(const std::string& node) const;

  Surroundings& surroundings_;
  Caches& caches_;
  NodeWriter nodes_;
  kube::Controller controller_;
};

}  // namespace millwright::controllers
