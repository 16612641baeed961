// While the API servers cannot be reached nobody judges machines by what was seen of them.
//
// At rest no server is asked: watches that stay open show that both are there. A watch that ends is
// opened again by its cache, so when a cache opens one more than we know of, or none is open, or
// the last answer was a failure, we ask. (A connection that died without a word is cut by the HTTP
// client's PING, or by the watch's own limit of silence, and then opened again.)
#pragma once

#include <cstdint>

#include "controllers/machine/machine_controller.h"
#include "controllers/shared/caches.h"
#include "core/safety/api_guard.h"

namespace millwright::controllers {

class ApiGuardLoop {
 public:
  ApiGuardLoop(Surroundings& surroundings, Caches& caches, MachineController& machines);

  // Runs until cancelled; the caches must be synced.
  Task<void> Run();

 private:
  // So many watches were opened until now, of both servers.
  std::uint64_t WatchesOpened() const;
  Task<bool> IsReachable();
  Task<bool> Answers(kube::Client& client, kube::GroupVersionResource resource,
                     kube::ObjectKey nobody);

  Surroundings& surroundings_;
  Caches& caches_;
  MachineController& machines_;
  Logger log_;
  core::ApiGuard guard_;
  std::uint64_t known_watches_ = 0;
};

}  // namespace millwright::controllers
