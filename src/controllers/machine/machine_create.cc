// From a machine without an instance to one whose node is awaited.
#include <fmt/format.h>

#include "controllers/machine/machine_controller.h"
#include "controllers/machine/user_data.h"

namespace millwright::controllers {

using core::CreateStep;
using dialects::MachineRecord;
using dialects::MachineReport;
using kube::Requeue;

namespace {

core::CloudAnswer AnswerOf(const Result<providers::Instance>& result) {
  if (!result) return {.code = providers::CodeOf(result.error())};
  return {.code = result->needs_initialize ? core::CloudCode::kUninitialized : core::CloudCode::kOk,
          .instance = result->id,
          .node = result->node};
}

// What is to be remembered for the provider after a call; none: as it is.
std::optional<std::string> RememberedBy(const Result<providers::Instance>& result) {
  if (result) return result->remember;
  const auto* failure = result.error().detail<providers::CloudFailure>();
  return failure != nullptr ? failure->remember : std::nullopt;
}

}  // namespace

Task<Result<SecretText>> MachineController::UserDataFor(const MachineRecord& machine,
                                                        const ResolvedClass& of) {
  UserDataValues values{.machine = machine.meta.key.name};
  if (tokens_) {
    const Duration lasts = LimitsOf(machine).join;
    CO_TRY(values.token, co_await tokens_->Take(machine.meta.uid, machine.meta.key.name, lasts));
  }
  co_return FillUserData(of.user_data, values);
}

Task<Result<Requeue>> MachineController::Make(MachineRecord machine) {
  auto resolved = co_await classes_.Resolve(machine.class_name);
  if (!resolved) {
    if (resolved.error().kind() != ErrorKind::kInvalid) co_return Failure(resolved.error());
    co_return co_await Complain(machine, resolved.error().message(), core::Retry::kShort);
  }
  if (resolved->user_data.empty()) {
    co_return co_await Complain(
        machine,
        fmt::format("class \"{}\" has no Secret with the key userData", machine.class_name),
        core::Retry::kShort);
  }
  if (auto valid = resolved->cloud->Validate(*resolved->instance_class); !valid) {
    co_return co_await Complain(
        machine, fmt::format("class \"{}\": {}", machine.class_name, valid.error().message()),
        core::Retry::kMedium);
  }

  core::CreateView view{
      .name = machine.meta.key.name,
      .instance = machine.instance,
      .node = machine.node,
      .metadata_complete = !machine.instance.empty() && machine.has_priority &&
                           (!machine.node.empty() || !surroundings_.expects_nodes()),
      .expects_node = surroundings_.expects_nodes(),
      .phase = machine.core.phase,
      .created = sightings_.Created(machine),
      .time_limit = LimitsOf(machine).join};
  std::string failure;  // what the cloud said last
  std::optional<std::string> remember;
  std::vector<std::pair<std::string, std::string>> addresses;
  const auto note = [&](const Result<providers::Instance>& answer) {
    if (auto kept = RememberedBy(answer)) remember = std::move(kept);
    if (!answer) {
      failure = answer.error().message();
      return;
    }
    for (const providers::Address& address : answer->addresses) {
      addresses.emplace_back(address.type, address.address);
    }
  };
  // Every step leads to another one, so this ends.
  for (;;) {
    const core::CreatePlan plan = core::PlanCreate(view, surroundings_.clock.Now());
    switch (plan.step) {
      case CreateStep::kFind: {
        const auto found =
            co_await resolved->cloud->Get(resolved->instance_class, IdentityOf(machine));
        view.found = AnswerOf(found);
        note(found);
        break;
      }
      case CreateStep::kMake: {
        CO_TRY(SecretText user_data, co_await UserDataFor(machine, *resolved));
        const auto made = co_await resolved->cloud->Create(resolved->instance_class,
                                                           {.machine = IdentityOf(machine),
                                                            .user_data = std::move(user_data),
                                                            .remembered = machine.remembered});
        note(made);
        if (made && made->pending) co_return Requeue::After(*made->pending);
        view.made = AnswerOf(made);
        view.node_name_taken = made && caches_.FindNode(made->node) != nullptr;
        break;
      }
      case CreateStep::kDiscard: {
        providers::MachineIdentity made = IdentityOf(machine);
        made.instance = plan.instance;
        const auto removed = co_await resolved->cloud->Remove(resolved->instance_class, made);
        if (!removed) {
          log_.Warning("instance with a taken node name cannot be removed",
                       {{"machine", machine.meta.key.ToString()},
                        {"instance", plan.instance},
                        {"error", removed.error().message()}});
        }
        CO_CHECK(co_await Show(machine, {.what = MachineReport::What::kNodeNameTaken,
                                         .phase = plan.phase,
                                         .message = plan.node,
                                         .code = plan.code,
                                         .state = dialects::OperationState::kFailed}));
        co_return After(plan.retry);
      }
      case CreateStep::kRecord: {
        auto patch = surroundings_.dialect.Recorded(machine, plan.instance, plan.node);
        CO_TRY(machine.meta.resource_version,
               co_await machines_.Patch(machine.meta, std::move(patch)));
        machine.instance = plan.instance;
        machine.node = plan.node;
        view.recorded = true;
        break;
      }
      case CreateStep::kInitialize: {
        Result<providers::Instance> initialized =
            providers::FailCloud(core::CloudCode::kUnimplemented, "nothing to initialize");
        if (resolved->cloud->capabilities().initialize) {
          CO_TRY(SecretText user_data, co_await UserDataFor(machine, *resolved));
          initialized = co_await resolved->cloud->Initialize(resolved->instance_class,
                                                             {.machine = IdentityOf(machine),
                                                              .user_data = std::move(user_data),
                                                              .remembered = machine.remembered});
          note(initialized);
        }
        view.initialized = AnswerOf(initialized);
        break;
      }
      case CreateStep::kShow:
        CO_CHECK(
            co_await Show(machine, {.what = view.expects_node ? MachineReport::What::kPending
                                                              : MachineReport::What::kAvailable,
                                    .phase = plan.phase,
                                    .remember = remember,
                                    .addresses = std::move(addresses)}));
        co_return Requeue::WhenChanged();
      case CreateStep::kRest: co_return Requeue::WhenChanged();
      case CreateStep::kGiveUpForNow: {
        if (!plan.phase) co_return After(plan.retry);
        const bool at_initialize = view.initialized && !view.initialized->ok();
        if (!remember && !plan.keep_cloud_state) remember = std::string();
        CO_CHECK(
            co_await Show(machine, {.what = at_initialize ? MachineReport::What::kInitializeFailed
                                                          : MachineReport::What::kCreateFailed,
                                    .phase = plan.phase,
                                    .message = failure,
                                    .code = plan.code,
                                    .state = dialects::OperationState::kFailed,
                                    .remember = remember}));
        Tell(machine, kube::EventSeverity::kWarning, "FailedCreate", failure);
        co_return After(plan.retry);
      }
    }
  }
}

}  // namespace millwright::controllers
