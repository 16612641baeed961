#include "cli/contract_watch.h"

#include "controllers/contract/shared/resources.h"

namespace millwright::cli {

namespace capi = dialects::capi;
namespace contract = controllers::contract;

namespace {

template <class Record>
std::vector<Record> CopyOf(const kube::Informer<Record>& informer) {
  std::vector<Record> copy;
  for (const Record& record : informer.store().objects()) copy.push_back(record);
  return copy;
}

}  // namespace

template <class Record>
ContractWatch::Followed<Record> ContractWatch::Follow(
    Process process, kube::Client& client, kube::GroupVersionResource resource,
    Result<Record> (capi::Reader::*read)(kube::JsonObject)) {
  auto informer = std::make_unique<kube::Informer<Record>>(
      process.executor, client, process.clock, process.random, process.log.For("watch"),
      kube::ReflectorOptions{.resource = std::move(resource), .namespace_ = name_space_},
      [this, read](kube::JsonObject object) { return (reader_.*read)(object); });
  informer->OnChange([this](const Record*, const Record*) {
    changed_ = true;
    signal_.NotifyAll();
  });
  return informer;
}

ContractWatch::ContractWatch(Process process, kube::Client& client, const std::string& name_space,
                             const ContractSeen& first)
    : clock_(process.clock),
      name_space_(name_space),
      served_(first.served),
      unread_(first.unread),
      signal_(process.executor),
      clusters_(Follow(process, client, contract::kClusters, &capi::Reader::Cluster)),
      deployments_(Follow(process, client, contract::kDeployments, &capi::Reader::Deployment)),
      sets_(Follow(process, client, contract::kSets, &capi::Reader::Set)),
      machines_(Follow(process, client, contract::kMachines, &capi::Reader::Machine)),
      tasks_(process.executor) {
  for (const ServedExternal& served : served_) {
    externals_.push_back(Follow(process, client, served.resource, &capi::Reader::External));
  }
}

Task<void> ContractWatch::Run() {
  tasks_.Spawn([this] { return clusters_->Run(); });
  tasks_.Spawn([this] { return deployments_->Run(); });
  tasks_.Spawn([this] { return sets_->Run(); });
  tasks_.Spawn([this] { return machines_->Run(); });
  for (const auto& external : externals_) {
    tasks_.Spawn([it = external.get()] { return it->Run(); });
  }
  co_await UntilCancelled();
  tasks_.Cancel();
  co_await tasks_.Join();
}

Task<Wake> ContractWatch::WaitSynced() {
  if (co_await clusters_->WaitSynced() == Wake::kCancelled) co_return Wake::kCancelled;
  if (co_await deployments_->WaitSynced() == Wake::kCancelled) co_return Wake::kCancelled;
  if (co_await sets_->WaitSynced() == Wake::kCancelled) co_return Wake::kCancelled;
  if (co_await machines_->WaitSynced() == Wake::kCancelled) co_return Wake::kCancelled;
  for (const auto& external : externals_) {
    if (co_await external->WaitSynced() == Wake::kCancelled) co_return Wake::kCancelled;
  }
  co_return Wake::kDone;
}

Task<Wake> ContractWatch::WaitChanged(SteadyTime deadline) {
  while (!changed_) {
    const Wake why = co_await signal_.WaitUntil(clock_, deadline);
    if (why != Wake::kDone) co_return why;
  }
  changed_ = false;
  co_return Wake::kDone;
}

ContractSeen ContractWatch::Now() const {
  ContractSeen seen;
  seen.clusters = CopyOf(*clusters_);
  seen.deployments = CopyOf(*deployments_);
  seen.sets = CopyOf(*sets_);
  seen.machines = CopyOf(*machines_);
  seen.served = served_;
  seen.unread = unread_;
  for (std::size_t i = 0; i < served_.size(); ++i) {
    for (capi::ExternalRecord& object : CopyOf(*externals_[i])) {
      seen.Add(served_[i], std::move(object));
    }
  }
  seen.Sort();
  return seen;
}

}  // namespace millwright::cli
