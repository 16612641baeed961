#include "cli/contract_watch.h"

#include "controllers/contract/shared/resources.h"

namespace millwright::cli {

namespace capi = dialects::capi;
namespace contract = controllers::contract;

namespace {

struct Whence {
  FollowedKinds& kinds;
  kube::Client& client;
  const std::string& name_space;
  capi::Reader& reader;
};

template <class Record>
const kube::Store<Record>& Follow(const Whence& whence, const kube::GroupVersionResource& resource,
                                  Result<Record> (capi::Reader::*read)(kube::JsonObject)) {
  return whence.kinds.Follow<Record>(
      whence.client, {.resource = resource, .namespace_ = whence.name_space},
      [&reader = whence.reader, read](kube::JsonObject object) { return (reader.*read)(object); });
}

}  // namespace

ContractWatch::ContractWatch(Process process, kube::Client& client, const std::string& name_space,
                             const ContractSeen& first)
    : served_(first.served),
      unread_(first.unread),
      kinds_(process),
      clusters_(Follow({kinds_, client, name_space, reader_}, contract::kClusters,
                       &capi::Reader::Cluster)),
      deployments_(Follow({kinds_, client, name_space, reader_}, contract::kDeployments,
                          &capi::Reader::Deployment)),
      sets_(Follow({kinds_, client, name_space, reader_}, contract::kSets, &capi::Reader::Set)),
      machines_(Follow({kinds_, client, name_space, reader_}, contract::kMachines,
                       &capi::Reader::Machine)) {
  for (const ServedExternal& served : served_) {
    externals_.push_back(
        &Follow({kinds_, client, name_space, reader_}, served.resource, &capi::Reader::External));
  }
}

ContractSeen ContractWatch::Now() const {
  ContractSeen seen;
  seen.clusters = CopyOf(clusters_);
  seen.deployments = CopyOf(deployments_);
  seen.sets = CopyOf(sets_);
  seen.machines = CopyOf(machines_);
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
