#include "controllers/shared/caches.h"

namespace millwright::controllers {

using dialects::ClassRecord;
using dialects::DeploymentRecord;
using dialects::MachineRecord;
using dialects::NodeRecord;
using dialects::SetRecord;

const kube::GroupVersionResource kNodes{"", "v1", "nodes"};

namespace {

Text OwnerKey(const auto& owner) { return owner ? Text(owner->uid.str()) : Text(); }

kube::ReflectorOptions Within(const Surroundings& surroundings, const dialects::Kind& kind) {
  return {.resource = kind.resource, .namespace_ = surroundings.settings.namespace_};
}

}  // namespace

Caches::Caches(Surroundings& s)
    : machines(
          s.executor, s.control, s.clock, s.random, s.log.For("controllers.machines"),
          Within(s, s.dialect.kinds().machine),
          [&dialect = s.dialect](kube::JsonObject object) { return dialect.ReadMachine(object); }),
      sets(s.executor, s.control, s.clock, s.random, s.log.For("controllers.sets"),
           Within(s, s.dialect.kinds().set),
           [&dialect = s.dialect](kube::JsonObject object) { return dialect.ReadSet(object); }),
      deployments(s.executor, s.control, s.clock, s.random, s.log.For("controllers.deployments"),
                  Within(s, s.dialect.kinds().deployment),
                  [&dialect = s.dialect](kube::JsonObject object) {
                    return dialect.ReadDeployment(object);
                  }),
      classes(
          s.executor, s.control, s.clock, s.random, s.log.For("controllers.classes"),
          Within(s, s.dialect.kinds().machine_class),
          [&dialect = s.dialect](kube::JsonObject object) { return dialect.ReadClass(object); }),
      machines_by_owner(machines.AddIndex([](const MachineRecord& machine, auto& keys) {
        keys.push_back(OwnerKey(machine.owner));
      })),
      machines_by_node(machines.AddIndex([](const MachineRecord& machine, auto& keys) {
        if (!machine.node.empty()) keys.push_back(machine.node);
      })),
      machines_by_class(machines.AddIndex(
          [](const MachineRecord& machine, auto& keys) { keys.push_back(machine.class_name); })),
      machines_by_deployment(machines.AddIndex(
          [label = s.dialect.names().deployment_label](const MachineRecord& machine, auto& keys) {
            if (const Text* found = machine.labels.Find(label)) keys.push_back(*found);
          })),
      sets_by_owner(sets.AddIndex(
          [](const SetRecord& set, auto& keys) { keys.push_back(OwnerKey(set.owner)); })),
      classes_by_secret(classes.AddIndex([](const ClassRecord& of, auto& keys) {
        for (const kube::ObjectKey& secret : of.secrets) keys.emplace_back(secret.name);
      })),
      surroundings_(s),
      node_reader_(s.dialect.texts()),
      tasks_(s.executor) {
  if (s.target == nullptr) return;
  nodes.emplace(s.executor, *s.target, s.clock, s.random, s.log.For("controllers.nodes"),
                kube::ReflectorOptions{.resource = kNodes},
                [this](kube::JsonObject object) { return node_reader_.Read(object); });
}

Task<void> Caches::Run() {
  tasks_.Spawn([this] { return machines.Run(); });
  tasks_.Spawn([this] { return sets.Run(); });
  tasks_.Spawn([this] { return deployments.Run(); });
  tasks_.Spawn([this] { return classes.Run(); });
  if (nodes) tasks_.Spawn([this] { return nodes->Run(); });
  co_await UntilCancelled();
  tasks_.Cancel();
  co_await tasks_.Join();
}

Task<Wake> Caches::WaitSynced() {
  if (co_await machines.WaitSynced() == Wake::kCancelled) co_return Wake::kCancelled;
  if (co_await sets.WaitSynced() == Wake::kCancelled) co_return Wake::kCancelled;
  if (co_await deployments.WaitSynced() == Wake::kCancelled) co_return Wake::kCancelled;
  if (co_await classes.WaitSynced() == Wake::kCancelled) co_return Wake::kCancelled;
  if (nodes) co_return co_await nodes->WaitSynced();
  co_return Wake::kDone;
}

bool Caches::synced() const {
  return machines.synced() && sets.synced() && deployments.synced() && classes.synced() &&
         (!nodes || nodes->synced());
}

const NodeRecord* Caches::FindNode(std::string_view name) const {
  if (!nodes || name.empty()) return nullptr;
  node_key_.name = name;
  return nodes->store().Find(node_key_);
}

core::Machine Caches::Observe(const MachineRecord& machine) const {
  core::Machine seen{machine.core, {}, machine.meta.key.name};
  const NodeRecord* node = FindNode(machine.node);
  seen.has_node = node != nullptr;
  core::WishSources wishes{.machine = machine.wish, .applied_from_node = machine.applied_from_node};
  if (node != nullptr) {
    wishes.node_exists = true;
    wishes.node = surroundings_.dialect.ReadNodeWish(*node);
  }
  const core::EffectiveWish wish = core::ResolveWish(wishes);
  if (wish.readable) seen.preservation.wish = wish.wish;
  return seen;
}

}  // namespace millwright::controllers
