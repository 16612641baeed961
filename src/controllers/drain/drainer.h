// Empties nodes of pods: one run for each machine that needs it, none of them ever blocks.
//
// All state is in memory. A new process begins a new run: evicting again what is going already is
// no harm, and what waits for its turn waits again.
#pragma once

#include <functional>
#include <memory>

#include "controllers/drain/order.h"
#include "controllers/drain/parts.h"
#include "controllers/shared/caches.h"

namespace millwright::controllers {

class Drainer {
 public:
  using Wake = std::function<void(const kube::ObjectKey& machine)>;

  // Before the caches run: it listens to nodes.
  Drainer(Surroundings& surroundings, Caches& caches, Wake wake);
  Drainer(DrainParts parts, Wake wake);
  ~Drainer();

  // Looks once, does what is to be done now, and says how far it is. The first look of a machine
  // whose node has pods begins its run: a watch of these that lives until Forget. An order whose
  // rules differ from the run's (it is forced now) begins anew. One look of a machine at a time.
  Task<Result<DrainLook>> Look(DrainOrder order);

  // The machine is gone, or its drain is over.
  void Forget(const Uid& machine);

  // Runs until cancelled: watches that live longer than one look.
  Task<void> Run();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace millwright::controllers
