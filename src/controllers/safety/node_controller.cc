#include "controllers/safety/node_controller.h"

#include <algorithm>

#include "controllers/shared/object_writer.h"

namespace millwright::controllers {

using core::NodeVerdict;
using dialects::MachineRecord;
using dialects::NodeRecord;
using kube::ObjectKey;
using kube::Requeue;

namespace {

// Whatever else there is to do about it waits until the cache has seen that.
constexpr Duration kAfterCordon = std::chrono::seconds(1);

}  // namespace

NodeController::NodeController(Surroundings& s, Caches& caches)
    : surroundings_(s),
      caches_(caches),
      nodes_(*s.target, caches.nodes->guard()),
      controller_(s.executor, s.clock, s.log.For("controllers.nodes-without-machine"),
                  {.name = "unmanaged-nodes"},
                  [this](ObjectKey key) { return Look(std::move(key)); }) {
  caches_.nodes->OnChange([this](const NodeRecord* before, const NodeRecord* after) {
    if (after == nullptr) return;
    const std::string& mark = surroundings_.dialect.names().not_managed;
    const bool same = before != nullptr &&
                      before->annotations.contains(mark) == after->annotations.contains(mark);
    if (!same) controller_.queue().Add(after->meta.key);
  });
  caches_.machines.OnChange([this](const MachineRecord* before, const MachineRecord* after) {
    if (before != nullptr && after != nullptr && before->node == after->node) return;
    for (const MachineRecord* machine : {before, after}) {
      if (machine == nullptr || machine->node.empty()) continue;
      controller_.queue().Add({.namespace_ = {}, .name = machine->node});
    }
  });
}

// Whether its machine was told to go before the node was there: then the machine was not drained,
// its instance may be gone at any moment, and nobody else keeps pods away from it.
bool NodeController::IsGoing(const std::string& node) const {
  return std::ranges::any_of(caches_.machines_by_node.Find(node), [](const MachineRecord* machine) {
    return machine->meta.deleting_since.has_value();
  });
}

Task<Result<Requeue>> NodeController::Look(ObjectKey key) {
  const NodeRecord* node = caches_.FindNode(key.name);
  if (node == nullptr) co_return Requeue::WhenChanged();
  const dialects::Names& names = surroundings_.dialect.names();
  const Duration limit = surroundings_.settings.creation;
  const core::NodeFacts facts{
      .machines = static_cast<int>(caches_.machines_by_node.Find(key.name).size()),
      .disowned = node->annotations.contains(names.not_managed),
      .created = node->created};
  if (IsGoing(key.name) && !node->unschedulable) {
    CO_CHECK(co_await nodes_.Cordon(node->meta));
    co_return Requeue::After(kAfterCordon);
  }
  const WallTime now = surroundings_.clock.Now();
  NodeChange change;
  switch (core::JudgeNode(facts, limit, now)) {
    case NodeVerdict::kLeave:
      if (facts.machines > 0 || facts.disowned) co_return Requeue::WhenChanged();
      co_return Requeue::After(facts.created + limit - now + std::chrono::milliseconds(1));
    case NodeVerdict::kDisown:
      change.annotations.set = {{names.not_managed, "1"}};
      change.finalizers = Without(node->finalizers.get(), names.node_finalizer);
      break;
    case NodeVerdict::kOwn: change.annotations.remove = {names.not_managed}; break;
  }
  CO_CHECK(co_await nodes_.Write(node->meta, std::move(change)));
  co_return Requeue::WhenChanged();
}

}  // namespace millwright::controllers
