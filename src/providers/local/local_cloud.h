// Machines made of this computer: each is a process that runs the node agent.
//
// A machine is its process: killed, it is gone like a VM that somebody terminated, and Get says so;
// its folder is what is left to clean up. The folders are all that is known: after a restart of
// ours, or in another process of ours, the same machines are found.
#pragma once

#include <filesystem>

#include "base/clock.h"
#include "base/log.h"
#include "providers/cloud.h"
#include "providers/local/machine_folder.h"
#include "providers/local/spec.h"

namespace millwright::providers {

struct LocalSettings {
  std::filesystem::path directory;  // of the machines' folders; made if it is not there
  std::filesystem::path program;    // millwright itself
  // Between asking a process to end and ending it.
  Duration stop_grace = std::chrono::seconds(10);
};

class LocalCloud final : public Cloud {
 public:
  LocalCloud(LocalSettings settings, Clock& clock, Logger log);

  Result<void> Validate(const InstanceClass& instance_class) const override;
  Task<Result<Instance>> Create(std::shared_ptr<const InstanceClass> instance_class,
                                CreateRequest request) override;
  Task<Result<Instance>> Get(std::shared_ptr<const InstanceClass> instance_class,
                             MachineIdentity machine) override;
  Task<Result<void>> Remove(std::shared_ptr<const InstanceClass> instance_class,
                            MachineIdentity machine) override;
  // Dead machines too, until they are removed.
  Task<Result<std::vector<Instance>>> List(
      std::shared_ptr<const InstanceClass> instance_class) override;

 private:
  Result<Instance> CreateNow(const InstanceClass& instance_class, const CreateRequest& request);
  Result<void> Start(const MachineFolder& folder, const MachineRecord& record,
                     const LocalSpec& spec);
  Result<Instance> GetNow(const MachineIdentity& machine) const;
  Task<Result<void>> Stop(ProcessId process);
  Task<Result<bool>> WaitForEnd(ProcessId process, Duration limit);
  MachineFolder FolderOf(const std::string& uid) const;

  const LocalSettings settings_;
  Clock& clock_;
  const Logger log_;
  bool told_isolation_ = false;
};

}  // namespace millwright::providers
