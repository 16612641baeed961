// Keeps classes from being deleted while machines use them.
#pragma once

#include "controllers/shared/caches.h"
#include "controllers/shared/object_writer.h"
#include "kube/runtime/controller.h"

namespace millwright::controllers {

class ClassController {
 public:
  ClassController(Surroundings& surroundings, Caches& caches);

  // Runs until cancelled; the caches must be synced.
  Task<void> Run() { return controller_.Run(); }
  kube::Controller& controller() { return controller_; }

 private:
  Task<Result<kube::Requeue>> Reconcile(kube::ObjectKey key);

  Surroundings& surroundings_;
  Caches& caches_;
  ObjectWriter classes_;
  kube::Controller controller_;
};

}  // namespace millwright::controllers
