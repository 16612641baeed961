// A machine that is changed in place by an extension (behind a gate). The set that the machine
// moved to marks it and names the pending hook; we call the extension until it is done.
#include <algorithm>

#include <boost/json.hpp>

#include "controllers/contract/machine/machine_controller.h"
#include "dialects/capi/status/words.h"

namespace millwright::controllers::contract {

namespace json = boost::json;
using core::ObjectState;

namespace {

constexpr std::string_view kHook = "UpdateMachine";

bool HasMark(const capi::Header& object) {
  return object.annotations.find(capi::annotations::kUpdateInProgress) != object.annotations.end();
}

std::vector<std::string> PendingHooks(const capi::MachineRecord& machine) {
  std::vector<std::string> hooks;
  const auto found = machine.annotations.find(capi::annotations::kPendingHooks);
  if (found == machine.annotations.end()) return hooks;
  std::string_view rest = found->second;
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    if (comma != 0) hooks.emplace_back(rest.substr(0, comma));
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
  }
  return hooks;
}

bool IsPending(const capi::MachineRecord& machine) {
  return std::ranges::any_of(PendingHooks(machine),
                             [](const std::string& hook) { return hook == kHook; });
}

void RemoveHook(capi::MachineRecord& machine) {
  std::vector<std::string> hooks = PendingHooks(machine);
  std::erase(hooks, kHook);
  const std::string key(capi::annotations::kPendingHooks);
  if (hooks.empty()) {
    machine.annotations.erase(key);
    return;
  }
  std::string joined;
  for (const std::string& hook : hooks) joined += (joined.empty() ? "" : ",") + hook;
  machine.annotations[key] = joined;
}

Result<json::value> Shown(const Result<std::optional<kube::Document>>& found) {
  if (!found) return Failure(found.error());
  if (!*found) return json::value();
  TRY(const json::value tree, (*found)->Tree());
  return ShownToExtensions(tree);
}

}  // namespace

Task<Result<void>> MachineController::UnmarkUpdate(const capi::Reference& reference,
                                                   const ExternalLook& look) {
  if (look.state != ObjectState::kFound || !HasMark(*look.object)) co_return Ok();
  const std::string mark(capi::annotations::kUpdateInProgress);
  co_return co_await externals_.Patch(reference, look.object->meta,
                                      {{"metadata", {{"annotations", {{mark, nullptr}}}}}});
}

// The machine's own mark went before, and the hook goes last, with the patch at the end of the
// pass: whoever crashes in between finds the hook pending and goes on here.
Task<void> MachineController::EndUpdate(Pass& pass) {
  for (const auto& [reference, look] :
       {std::pair(&pass.seen.spec.infrastructure, &pass.infrastructure),
        std::pair(&pass.seen.spec.bootstrap, &pass.bootstrap)}) {
    const Result<void> unmarked = co_await UnmarkUpdate(*reference, *look);
    if (!unmarked) co_return pass.Failed(unmarked.error());
  }
  RemoveHook(pass.machine);
}

Task<void> MachineController::UpdateInPlace(Pass& pass) {
  if (!surroundings_.settings.in_place_updates) co_return;
  const capi::MachineRecord& machine = pass.machine;
  const bool pending = IsPending(machine);
  if (!HasMark(machine)) {
    if (pending) co_await EndUpdate(pass);
    co_return;
  }
  if (!pending || !machine.status.infrastructure_provisioned.value_or(false) ||
      !machine.status.data_secret_created.value_or(false) || machine.status.node.empty()) {
    co_return;
  }
  if (pass.infrastructure.state == ObjectState::kMissing) {
    pass.facts.update_failed = true;
    pass.facts.update_message =
        "In-place update not possible: " + machine.spec.infrastructure.kind + " does not exist";
    co_return pass.Failed(Error(ErrorKind::kNotFound, pass.facts.update_message));
  }
  const bool marked = pass.infrastructure.object && HasMark(*pass.infrastructure.object) &&
                      (!pass.bootstrap.object || HasMark(*pass.bootstrap.object));
  if (!marked) co_return;
  const SteadyTime now = surroundings_.clock.Elapsed();
  const auto asked = update_calls_.find(machine.meta.uid);
  if (asked != update_calls_.end() && now < asked->second) {
    const capi::Condition* updating =
        capi::Find(pass.seen.status.conditions, capi::types::kUpdating);
    if (updating != nullptr) pass.facts.update_message = updating->message;
    co_return pass.LookAgain(surroundings_.clock.Now() + (asked->second - now));
  }

  const auto fail = [&pass](Error error) {
    pass.facts.update_failed = true;
    pass.facts.update_message =
        "UpdateMachine hook failed: please check controller logs for errors";
    pass.Failed(std::move(error));
  };
  if (surroundings_.in_place.registered() != 1) {
    co_return fail(
        Error(ErrorKind::kInvalid, "exactly one extension for UpdateMachine must be registered"));
  }
  const std::string& space = machine.meta.key.namespace_;
  const Result<json::value> own =
      Shown(co_await surroundings_.management.Find(kMachines, machine.meta.key));
  if (!own) co_return fail(own.error());
  const Result<json::value> infrastructure =
      Shown(co_await externals_.Get(machine.spec.infrastructure, space));
  if (!infrastructure) co_return fail(infrastructure.error());
  Result<json::value> bootstrap{json::value()};
  if (machine.spec.bootstrap.defined()) {
    bootstrap = Shown(co_await externals_.Get(machine.spec.bootstrap, space));
    if (!bootstrap) co_return fail(bootstrap.error());
  }
  const Result<InPlaceUpdate> update =
      co_await surroundings_.in_place.Update({*own, *infrastructure, *bootstrap});
  if (!update) co_return fail(update.error());
  if (!update->look_again) {
    update_calls_.erase(machine.meta.uid);
    pass.machine.annotations.erase(std::string(capi::annotations::kUpdateInProgress));
    co_return;
  }
  update_calls_[machine.meta.uid] = surroundings_.clock.Elapsed() + *update->look_again;
  pass.facts.update_message = "In-place update in progress";
  if (!update->message.empty()) pass.facts.update_message += ": " + update->message;
  pass.LookAgain(surroundings_.clock.Now() + *update->look_again);
}

}  // namespace millwright::controllers::contract
