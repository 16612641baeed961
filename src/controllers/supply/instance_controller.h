// Makes and removes the instances that Machines of Cluster API name, at any of our clouds.
#pragma once

#include <memory>

#include "controllers/shared/object_writer.h"
#include "controllers/supply/instance_plan.h"
#include "controllers/supply/seen.h"
#include "kube/runtime/controller.h"
#include "providers/cloud.h"

namespace millwright::controllers::supply {

// As the cloud knows it.
providers::MachineIdentity IdentityOf(const InstanceRecord& instance);

class InstanceController {
 public:
  // All outlive it.
  InstanceController(contract::Surroundings& surroundings, Seen& seen,
                     const providers::CloudRegistry& clouds);

  // Runs until cancelled; what is seen must be synced.
  Task<void> Run() { return controller_.Run(); }
  kube::Controller& controller() { return controller_; }

 private:
  // The cloud, and what it needs to know.
  struct Resolved {
    providers::Cloud* cloud = nullptr;
    std::shared_ptr<const providers::InstanceClass> instance_class;
  };

  Task<Result<kube::Requeue>> Reconcile(kube::ObjectKey key);
  InstanceView Look(const InstanceRecord& instance) const;
  Task<Result<Resolved>> Resolve(const InstanceRecord& instance);
  Task<Result<kube::Requeue>> Protect(InstanceRecord instance);
  Task<Result<kube::Requeue>> Make(InstanceRecord instance);
  Task<Result<kube::Requeue>> FindOut(InstanceRecord instance);
  Task<Result<kube::Requeue>> ShowAgain(InstanceRecord instance);
  Task<Result<kube::Requeue>> Remove(InstanceRecord instance);
  Task<Result<kube::Requeue>> LetGo(const InstanceRecord& instance);
  Task<Result<kube::Requeue>> Show(InstanceRecord instance, const providers::Instance& made);
  Task<Result<kube::Requeue>> Complain(InstanceRecord instance, const Error& error);
  // Writes that go on with the version they lead to.
  Task<Result<kube::ResourceVersion>> NoteBegin(const InstanceRecord& instance);
  Task<Result<kube::ResourceVersion>> NoteId(const InstanceRecord& instance, std::string id);
  // The id at the cloud of what was asked for; none: there is nothing.
  Task<Result<std::optional<std::string>>> LookFor(const InstanceRecord& instance,
                                                   const Resolved& resolved);
  Task<Result<SecretText>> ReadData(const std::string& namespace_, const std::string& secret);

  contract::Surroundings& surroundings_;
  Seen& seen_;
  const providers::CloudRegistry& clouds_;
  ObjectWriter instances_;
  kube::Controller controller_;
};

}  // namespace millwright::controllers::supply
