#include "controllers/classes/class_controller.h"

#include <fmt/format.h>

#include "core/lifecycle/protection.h"

namespace millwright::controllers {

using dialects::ClassRecord;
using dialects::MachineRecord;
using kube::ObjectKey;
using kube::Requeue;

ClassController::ClassController(Surroundings& s, Caches& caches)
    : surroundings_(s),
      caches_(caches),
      classes_(s.control, s.dialect.kinds().machine_class.resource, caches.classes.guard()),
      controller_(s.executor, s.clock, s.log.For("controllers.class"), {.name = "machineclass"},
                  [this](ObjectKey key) { return Reconcile(std::move(key)); }) {
  caches_.classes.OnChange([this](const ClassRecord* before, const ClassRecord* after) {
    controller_.queue().Add((after != nullptr ? after : before)->meta.key);
  });
  // Only that a machine came, went, or changed its class says anything about who uses a class.
  caches_.machines.OnChange([this](const MachineRecord* before, const MachineRecord* after) {
    if (before != nullptr && after != nullptr && before->class_name == after->class_name) return;
    for (const MachineRecord* machine : {before, after}) {
      if (machine == nullptr) continue;
      controller_.queue().Add({machine->meta.key.namespace_, machine->class_name});
    }
  });
}

Task<Result<Requeue>> ClassController::Reconcile(ObjectKey key) {
  const ClassRecord* found = caches_.classes.store().Find(key);
  if (found == nullptr) co_return Requeue::WhenChanged();
  if (caches_.classes.guard().IsBehind(key)) {
    co_return Requeue::After(kube::WriteGuard::kLookAgain);
  }
  const ClassRecord record = *found;
  const std::string& ours = surroundings_.dialect.names().finalizer;
  const auto& users = caches_.machines_by_class.Find(key.name);
  switch (core::DecideProtection(!users.empty(), record.meta.deleting_since.has_value(),
                                 !With(record.finalizers, ours))) {
    case core::Protection::kNothing: break;
    case core::Protection::kAdd:
      CO_CHECK(co_await classes_.AddFinalizer(record.meta, record.finalizers, ours));
      break;
    case core::Protection::kRemove:
      CO_CHECK(co_await classes_.RemoveFinalizer(record.meta, record.finalizers, ours));
      break;
    case core::Protection::kRefuse: {
      const kube::GroupVersionKind& kind = surroundings_.dialect.kinds().machine_class.kind;
      surroundings_.events.Record(
          {.about = {kind.ApiVersion(), kind.kind, key, record.meta.uid},
           .severity = kube::EventSeverity::kWarning,
           .reason = "StillUsed",
           .message = fmt::format("Not deleted while {} machines use it, such as {}", users.size(),
                                  users.front()->meta.key.name)});
      break;
    }
  }
  co_return Requeue::WhenChanged();
}

}  // namespace millwright::controllers
