#include "cli/contract_viewer.h"

#include "cli/contract_describe.h"
#include "cli/contract_read.h"
#include "cli/contract_rollout.h"
#include "cli/contract_tree.h"
#include "cli/contract_watch.h"
#include "cli/seen.h"
#include "controllers/contract/shared/resources.h"
#include "dialects/capi/names.h"

namespace millwright::cli {

namespace capi = dialects::capi;
namespace contract = controllers::contract;

namespace {

template <class Record>
std::optional<Found> Look(const ContractSeen& seen, const std::vector<Record>& records,
                          const std::string& name, WallTime now) {
  const Record* record = FindNamed(records, name);
  if (record == nullptr) return std::nullopt;
  return Found{record->meta, Describe(seen, *record, now)};
}

class ContractPicture final : public Picture {
 public:
  explicit ContractPicture(ContractSeen seen) : seen_(std::move(seen)) {}

  std::vector<TreeItem> Forest(bool everything) const override {
    return ContractForest(seen_, everything);
  }

  std::optional<TreeItem> Tree(std::string_view name, bool everything) const override {
    return ContractTree(seen_, name, everything);
  }

  std::optional<Found> Describe(MachineKind kind, const std::string& name,
                                WallTime now) const override {
    switch (kind) {
      case MachineKind::kMachine: return Look(seen_, seen_.machines, name, now);
      case MachineKind::kSet: return Look(seen_, seen_.sets, name, now);
      case MachineKind::kDeployment: return Look(seen_, seen_.deployments, name, now);
      case MachineKind::kCluster: return Look(seen_, seen_.clusters, name, now);
      case MachineKind::kClass: return std::nullopt;
    }
    return std::nullopt;
  }

  std::optional<Past> PastOf(const std::string& name) const override {
    const capi::DeploymentRecord* found = FindNamed(seen_.deployments, name);
    if (found == nullptr) return std::nullopt;
    return Past{AsShown(*found), RevisionsOf(*found, seen_.SetsOf(*found))};
  }

  const ContractSeen& seen() const { return seen_; }

 private:
  const ContractSeen seen_;
};

class ContractPictures final : public PictureWatch {
 public:
  ContractPictures(Process process, kube::Client& client, const std::string& name_space,
                   const ContractSeen& first)
      : watch_(process, client, name_space, first) {}

  Task<void> Run() override { return watch_.Run(); }
  Task<Wake> WaitSynced() override { return watch_.WaitSynced(); }
  Task<Wake> WaitChanged(SteadyTime deadline) override { return watch_.WaitChanged(deadline); }
  std::unique_ptr<Picture> Now() const override {
    return std::make_unique<ContractPicture>(watch_.Now());
  }

 private:
  ContractWatch watch_;
};

dialects::Kind KindNamed(std::string_view kind, const kube::GroupVersionResource& resource) {
  return {.kind = {resource.group, resource.version, std::string(kind)}, .resource = resource};
}

class ContractViewer final : public Viewer {
 public:
  const ShownKinds& kinds() const override { return kinds_; }

  Task<Result<std::unique_ptr<Picture>>> Look(kube::Client& client, std::string name_space,
                                              bool /*closely*/) override {
    CO_TRY(ContractSeen seen, co_await ReadContractSeen(client, std::move(name_space)));
    std::unique_ptr<Picture> picture = std::make_unique<ContractPicture>(std::move(seen));
    co_return picture;
  }

  std::unique_ptr<PictureWatch> Follow(Process process, kube::Client& client,
                                       const std::string& name_space,
                                       const Picture& first) override {
    return std::make_unique<ContractPictures>(process, client, name_space,
                                              dynamic_cast<const ContractPicture&>(first).seen());
  }

  Result<dialects::DeploymentRecord> ReadDeployment(kube::JsonObject object) override {
    TRY(const capi::DeploymentRecord record, reader_.Deployment(object));
    return AsShown(record);
  }

  Result<boost::json::object> UndoPatch(const Past& past, const Revision& target) const override {
    return TemplatePatch(past.deployment, target);
  }
  boost::json::object RestartPatch(WallTime now) const override { return RolloutAfterPatch(now); }

 private:
  const ShownKinds kinds_{
      .machines = {.machine = KindNamed(capi::kMachineKind, contract::kMachines),
                   .set = KindNamed(capi::kSetKind, contract::kSets),
                   .deployment = KindNamed(capi::kDeploymentKind, contract::kDeployments),
                   .machine_class = {}},
      .cluster = KindNamed(capi::kClusterKind, contract::kClusters)};
  capi::Reader reader_;
};

}  // namespace

std::unique_ptr<Viewer> MakeContractViewer() { return std::make_unique<ContractViewer>(); }

}  // namespace millwright::cli
