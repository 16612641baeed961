#include "controllers/safety/api_guard.h"

namespace millwright::controllers {

ApiGuardLoop::ApiGuardLoop(Surroundings& surroundings, Caches& caches, MachineController& machines)
    : surroundings_(surroundings),
      caches_(caches),
      machines_(machines),
      log_(surroundings.log.For("controllers.api-guard")) {}

Task<void> ApiGuardLoop::Run() {
  known_watches_ = WatchesOpened();
  for (;;) {
    const bool reachable = co_await IsReachable();
    const core::ApiGuardStep step = core::WatchApi(
        guard_, reachable, surroundings_.settings.api_guard, surroundings_.clock.Now());
    const bool froze = step.guard.frozen && !guard_.frozen;
    guard_ = step.guard;
    if (froze) {
      log_.Warning("API servers cannot be reached: live machines are left alone");
      machines_.Freeze();
    }
    if (step.thawed) {
      log_.Info("API servers answer again");
      machines_.Thaw();
    }
    if (co_await SleepFor(surroundings_.clock, step.look_again) == Wake::kCancelled) co_return;
  }
}

std::uint64_t ApiGuardLoop::WatchesOpened() const {
  const std::uint64_t nodes = caches_.nodes ? caches_.nodes->stats().watches : 0;
  return caches_.machines.stats().watches + nodes;
}

Task<bool> ApiGuardLoop::IsReachable() {
  const std::uint64_t watches = WatchesOpened();
  if (watches == known_watches_ && !guard_.failing_since) co_return true;
  const bool control =
      co_await Answers(surroundings_.control, surroundings_.dialect.kinds().machine.resource,
                       {surroundings_.settings.namespace_, "nobody"});
  const bool target =
      surroundings_.target == nullptr ||
      co_await Answers(*surroundings_.target, kNodes, {.namespace_ = {}, .name = "nobody"});
  if (control && target) known_watches_ = watches;
  co_return control&& target;
}

// "There is none" is an answer.
Task<bool> ApiGuardLoop::Answers(kube::Client& client, kube::GroupVersionResource resource,
                                 kube::ObjectKey nobody) {
  const auto found = co_await client.Find(std::move(resource), std::move(nobody));
  co_return found.has_value();
}

}  // namespace millwright::controllers
