#include "controllers/supply/cluster_parts_controller.h"

#include <boost/json.hpp>

#include "controllers/supply/kinds.h"
#include "dialects/capi/names.h"

namespace millwright::controllers::supply {

namespace json = boost::json;
using kube::ObjectKey;
using kube::Requeue;

namespace {

constexpr std::string_view kKubeconfigSuffix = "-kubeconfig";

// Nothing waits for what nobody wants any more.
bool IsLeftAlone(const capi::Header& object) {
  return object.deleting() || object.annotations.contains(std::string(capi::annotations::kPaused));
}

void AddOnChange(kube::Informer<ClusterPartRecord>& parts, kube::Controller& controller) {
  parts.OnChange([&controller](const ClusterPartRecord* before, const ClusterPartRecord* after) {
    controller.queue().Add((after != nullptr ? after : before)->meta.key);
  });
}

}  // namespace

ClusterPartsController::ClusterPartsController(contract::Surroundings& s, Seen& seen)
    : seen_(seen),
      infrastructure_writer_(s.management, kInfrastructures, seen.infrastructures.guard()),
      control_plane_writer_(s.management, kControlPlanes, seen.control_planes.guard()),
      infrastructures_(s.executor, s.clock, s.log.For("supply.cluster"),
                       {.name = "millwrightcluster"},
                       [this](ObjectKey key) { return ReconcileInfrastructure(std::move(key)); }),
      control_planes_(s.executor, s.clock, s.log.For("supply.control_plane"),
                      {.name = "millwrightcontrolplane"},
                      [this](ObjectKey key) { return ReconcileControlPlane(std::move(key)); }),
      tasks_(s.executor) {
  AddOnChange(seen_.infrastructures, infrastructures_);
  AddOnChange(seen_.control_planes, control_planes_);
  // A kubeconfig that comes makes a control plane of its cluster usable.
  seen_.served.secrets.OnChange(
      [this](const contract::LabelledRecord* before, const contract::LabelledRecord* after) {
        if (before != nullptr || after == nullptr) return;
        const ObjectKey& key = after->meta.key;
        if (!key.name.ends_with(kKubeconfigSuffix)) return;
        const std::string cluster = key.name.substr(0, key.name.size() - kKubeconfigSuffix.size());
        const auto* of = seen_.served.clusters.store().Find({key.namespace_, cluster});
        if (of != nullptr) control_planes_.queue().Add({key.namespace_, of->control_plane.name});
      });
}

Task<void> ClusterPartsController::Run() {
  tasks_.Spawn([this] { return infrastructures_.Run(); });
  tasks_.Spawn([this] { return control_planes_.Run(); });
  co_await UntilCancelled();
  tasks_.Cancel();
  co_await tasks_.Join();
}

Task<Result<Requeue>> ClusterPartsController::ReconcileInfrastructure(ObjectKey key) {
  const ClusterPartRecord* found = seen_.infrastructures.store().Find(key);
  if (found == nullptr || found->done || IsLeftAlone(*found)) co_return Requeue::WhenChanged();
  json::object status{{"initialization", json::object{{"provisioned", true}}}};
  CO_CHECK(co_await infrastructure_writer_.Patch(found->meta, {{"status", std::move(status)}},
                                                 "status"));
  co_return Requeue::WhenChanged();
}

Task<Result<Requeue>> ClusterPartsController::ReconcileControlPlane(ObjectKey key) {
  const ClusterPartRecord* found = seen_.control_planes.store().Find(key);
  if (found == nullptr || IsLeftAlone(*found)) co_return Requeue::WhenChanged();
  if (found->done && found->version == found->shown_version) co_return Requeue::WhenChanged();
  const kube::OwnerReference* cluster = contract::OwnerOfKind(*found, capi::kClusterKind);
  if (cluster == nullptr) co_return Requeue::WhenChanged();  // the cluster's loop will say so
  const ObjectKey kubeconfig{key.namespace_, cluster->name + std::string(kKubeconfigSuffix)};
  if (seen_.served.secrets.store().Find(kubeconfig) == nullptr) co_return Requeue::WhenChanged();
  json::object status{{"initialization", json::object{{"controlPlaneInitialized", true}}},
                      {"externalManagedControlPlane", true}};
  if (!found->version.empty()) status["version"] = found->version;
  CO_CHECK(
      co_await control_plane_writer_.Patch(found->meta, {{"status", std::move(status)}}, "status"));
  co_return Requeue::WhenChanged();
}

}  // namespace millwright::controllers::supply
