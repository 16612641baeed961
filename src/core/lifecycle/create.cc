#include "core/lifecycle/create.h"

namespace millwright::core {
namespace {

// Before its time is over the cloud is asked again; after that the machine is replaced.
Phase FailurePhase(const CreateView& machine, WallTime now) {
  return now - machine.created > machine.time_limit ? Phase::kFailed : Phase::kCreateFailing;
}

CreatePlan ReactToMake(const CreateView& machine, std::optional<CloudCode> code, WallTime now) {
  CreatePlan plan{.step = CreateStep::kGiveUpForNow,
                  .retry = Retry::kMedium,
                  .phase = FailurePhase(machine, now),
                  .code = code.value_or(CloudCode::kUnknown),
                  .keep_cloud_state = false};
  if (code == CloudCode::kResourceExhausted) {
    plan.retry = Retry::kExhausted;
    plan.keep_cloud_state = true;
  } else if (code && IsPassing(*code)) {
    plan.retry = Retry::kShort;
    plan.keep_cloud_state = true;
  }
  return plan;
}

CreatePlan ReactToInitialize(const CreateView& machine, std::optional<CloudCode> code,
                             WallTime now) {
  if (!code) return {.step = CreateStep::kGiveUpForNow, .retry = Retry::kLong};
  return {.step = CreateStep::kGiveUpForNow,
          .retry = Retry::kShort,
          .phase = FailurePhase(machine, now),
          .code = *code};
}

bool IsAbsent(std::optional<CloudCode> code) {
  return code == CloudCode::kNotFound || code == CloudCode::kUnimplemented;
}

struct Instance {
  std::string id;
  std::string node;
};

Instance Known(const CreateView& machine) {
  Instance instance{machine.instance, machine.node};
  for (const auto& answer : {machine.found, machine.made}) {
    if (!answer) continue;
    if (!answer->instance.empty()) instance.id = answer->instance;
    if (!answer->node.empty()) instance.node = answer->node;
  }
  return instance;
}

// What is known of the instance is complete; now it is recorded, prepared and shown.
CreatePlan PlanKnown(const CreateView& machine, const Instance& instance, WallTime now) {
  const bool complete = machine.metadata_complete && machine.instance == instance.id;
  if (!complete && !machine.recorded) {
    return {.step = CreateStep::kRecord, .instance = instance.id, .node = instance.node};
  }
  const bool unprepared = machine.made || machine.found->code == CloudCode::kUninitialized;
  if (unprepared) {
    if (!machine.initialized) return {.step = CreateStep::kInitialize};
    const auto code = machine.initialized->code;
    const bool prepared = code == CloudCode::kOk || code == CloudCode::kUnimplemented;
    if (!prepared) return ReactToInitialize(machine, code, now);
  }
  if (machine.phase != Phase::kNew && machine.phase != Phase::kCreateFailing)
    return {.retry = Retry::kLong};
  return {.step = CreateStep::kShow,
          .phase = machine.expects_node ? Phase::kJoining : Phase::kAvailable};
}

}  // namespace

CreatePlan PlanCreate(const CreateView& machine, WallTime now) {
  if (!machine.found) return {.step = CreateStep::kFind};
  const auto found = machine.found->code;
  if (!found) return {.step = CreateStep::kGiveUpForNow, .retry = Retry::kMedium};
  const bool usable =
      found == CloudCode::kOk || found == CloudCode::kUninitialized || IsAbsent(found);
  if (!usable) return ReactToMake(machine, found, now);
  if (IsAbsent(found) && machine.instance.empty()) {
    if (!machine.made) return {.step = CreateStep::kMake};
    if (!machine.made->ok()) return ReactToMake(machine, machine.made->code, now);
  }

  const Instance instance = Known(machine);
  if (machine.made && machine.node_name_taken && instance.node != machine.name) {
    return {.step = CreateStep::kDiscard,
            .retry = Retry::kShort,
            .phase = Phase::kFailed,
            .code = CloudCode::kInternal,
            .instance = instance.id,
            .node = instance.node};
  }
  if (instance.id.empty() || (machine.expects_node && instance.node.empty())) {
    return {
        .step = CreateStep::kGiveUpForNow, .retry = Retry::kMedium, .code = CloudCode::kInternal};
  }
  return PlanKnown(machine, instance, now);
}

}  // namespace millwright::core
