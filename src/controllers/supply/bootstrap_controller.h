// Makes the Secret that an instance starts with: the text of its object with the machine's name and
// a token of the cluster it joins, which is taken back when it is not needed any more.
#pragma once

#include "controllers/shared/object_writer.h"
#include "controllers/supply/bootstrap_plan.h"
#include "controllers/supply/seen.h"
#include "kube/runtime/controller.h"

namespace millwright::controllers::supply {

class BootstrapController {
 public:
  // All outlive it.
  BootstrapController(contract::Surroundings& surroundings, Seen& seen,
                      contract::RemoteClusters& remotes);

  // Runs until cancelled; what is seen must be synced.
  Task<void> Run() { return controller_.Run(); }
  kube::Controller& controller() { return controller_; }

 private:
  Task<Result<kube::Requeue>> Reconcile(kube::ObjectKey key);
  // What a plan looks at, and whom it is for.
  struct Surrounded {
    BootstrapView view;
    kube::ObjectKey cluster;
    std::string machine;
  };
  Surrounded Look(const BootstrapRecord& bootstrap) const;
  Task<Result<void>> Make(BootstrapRecord bootstrap, Surrounded around);
  Task<Result<void>> DropToken(const BootstrapRecord& bootstrap, kube::ObjectKey cluster);
  Task<Result<SecretText>> Fill(const BootstrapRecord& bootstrap, kube::ObjectKey cluster,
                                std::string machine);
  Task<Result<void>> Store(const BootstrapRecord& bootstrap, const std::string& cluster,
                           const SecretText& data);

  contract::Surroundings& surroundings_;
  Seen& seen_;
  contract::RemoteClusters& remotes_;
  ObjectWriter bootstraps_;
  kube::Controller controller_;
};

}  // namespace millwright::controllers::supply
