#include "controllers/supply/seen.h"

#include <boost/json.hpp>

#include "controllers/supply/kinds.h"
#include "dialects/capi/names.h"
#include "dialects/capi/status/set_condition.h"

namespace millwright::controllers::supply {

namespace json = boost::json;

namespace {

template <class T>
kube::Informer<T> Follow(contract::Surroundings& s, const kube::GroupVersionResource& resource,
                         Reader& reader, Result<T> (Reader::*read)(kube::JsonObject)) {
  return kube::Informer<T>(
      s.executor, s.management, s.clock, s.random, s.log.For("supply." + resource.resource),
      {.resource = resource, .namespace_ = s.settings.namespace_},
      [&reader, read](kube::JsonObject object) { return (reader.*read)(object); });
}

}  // namespace

Seen::Seen(contract::Surroundings& s, contract::Caches& caches, contract::Externals& externals)
    : served(caches),
      reader(caches.reader()),
      instances(Follow(s, kInstances, reader, &Reader::Instance)),
      bootstraps(Follow(s, kBootstraps, reader, &Reader::Bootstrap)),
      infrastructures(Follow(s, kInfrastructures, reader, &Reader::ClusterPart)),
      control_planes(Follow(s, kControlPlanes, reader, &Reader::ClusterPart)),
      tasks_(s.executor) {
  externals.Share({std::string(kInfrastructureGroup), std::string(kInstanceKind)}, kInstances,
                  instances);
  externals.Share({std::string(kBootstrapGroup), std::string(kBootstrapKind)}, kBootstraps,
                  bootstraps);
}

Task<void> Seen::Run() {
  tasks_.Spawn([this] { return instances.Run(); });
  tasks_.Spawn([this] { return bootstraps.Run(); });
  tasks_.Spawn([this] { return infrastructures.Run(); });
  tasks_.Spawn([this] { return control_planes.Run(); });
  co_await UntilCancelled();
  tasks_.Cancel();
  co_await tasks_.Join();
}

Task<Wake> Seen::WaitSynced() {
  if (co_await instances.WaitSynced() == Wake::kCancelled) co_return Wake::kCancelled;
  if (co_await bootstraps.WaitSynced() == Wake::kCancelled) co_return Wake::kCancelled;
  if (co_await infrastructures.WaitSynced() == Wake::kCancelled) co_return Wake::kCancelled;
  co_return co_await control_planes.WaitSynced();
}

const capi::MachineRecord* Seen::MachineOf(const capi::Header& object) const {
  const kube::OwnerReference* owner = contract::ControllerOf(object);
  if (owner == nullptr || owner->kind != capi::kMachineKind) return nullptr;
  const capi::MachineRecord* machine =
      served.machines.store().Find({object.meta.key.namespace_, owner->name});
  return machine != nullptr && machine->meta.uid == owner->uid ? machine : nullptr;
}

const capi::ClusterRecord* Seen::ClusterOf(const capi::MachineRecord& machine) const {
  return served.clusters.store().Find(contract::ClusterOf(machine));
}

bool Seen::IsPaused(const capi::Header& object, const capi::ClusterRecord* cluster) const {
  return (cluster != nullptr && cluster->paused) ||
         object.annotations.contains(std::string(capi::annotations::kPaused));
}

json::array Encode(const capi::Conditions& conditions) {
  json::array list;
  for (const capi::Condition& condition : conditions) {
    list.push_back(json::object{{"type", condition.type.view()},
                                {"status", capi::ToString(condition.status)},
                                {"reason", condition.reason.view()},
                                {"message", condition.message.view()},
                                {"lastTransitionTime", FormatTime(condition.since)},
                                {"observedGeneration", condition.observed_generation}});
  }
  return list;
}

}  // namespace millwright::controllers::supply
