#include "providers/simulated/simulated.h"

#include <fmt/format.h>

#include <charconv>

#include "providers/simulated/volume_id.h"

namespace millwright::providers {
namespace {

using core::CloudCode;

// A class whose spec changes leaves its old texts behind; a few are worth keeping.
constexpr std::size_t kMostSpecs = 256;

// How often this machine's instance was made anew, as remembered.
std::uint64_t ParseAttempt(const std::string& text) {
  std::uint64_t attempt = 0;
  std::from_chars(text.data(), text.data() + text.size(), attempt);
  return attempt;
}

std::string TokenOf(const MachineIdentity& machine, std::uint64_t attempt) {
  return fmt::format("{}/{}", machine.uid.str(), attempt);
}

// The code is one of those after which what was remembered is kept.
Failure FailSpent(const std::string& id, std::uint64_t next_attempt) {
  return Failure(Error(ErrorKind::kUnavailable, id + " is gone; remember the next attempt first")
                     .WithDetail(std::make_shared<CloudFailure>(CloudCode::kAborted,
                                                                std::to_string(next_attempt))));
}

}  // namespace

SimulatedCloud::SimulatedCloud(CloudEngine& engine, Clock& clock, std::string cluster)
    : engine_(engine), clock_(clock), cluster_(std::move(cluster)) {}

Capabilities SimulatedCloud::capabilities() const {
  return {.list = true, .initialize = engine_.options().initialize, .volume_ids = true};
}

Result<void> SimulatedCloud::Validate(const InstanceClass& instance_class) const {
  CHECK_OK(ParseClassSpec(instance_class.provider_spec));
  return Ok();
}

Result<CallScope> SimulatedCloud::ScopeOf(const InstanceClass& instance_class) {
  auto known = specs_.find(instance_class.provider_spec);
  if (known == specs_.end()) {
    auto spec = ParseClassSpec(instance_class.provider_spec);
    if (!spec) return FailCloud(CloudCode::kInvalidArgument, spec.error().message());
    if (specs_.size() >= kMostSpecs) specs_.clear();
    known = specs_
                .emplace(instance_class.provider_spec,
                         std::make_shared<const ClassSpec>(*std::move(spec)))
                .first;
  }
  return CallScope{cluster_, instance_class.name, known->second};
}

CallScope SimulatedCloud::ScopeOrDefault(const InstanceClass& instance_class) {
  auto scope = ScopeOf(instance_class);
  if (scope) return *std::move(scope);
  return {.cluster = cluster_, .class_name = instance_class.name};
}

template <class T>
Task<Result<T>> SimulatedCloud::Await(Pending<T> answer) {
  while (!answer->result || clock_.Elapsed() < answer->at) {
    const Wake why = co_await SleepUntil(clock_, answer->at);
    // The call goes on without us: it may or may not have been done.
    if (why == Wake::kCancelled) co_return FailCloud(CloudCode::kCanceled, "asked to stop");
    engine_.Advance();
  }
  co_return *answer->result;
}

Task<Result<Instance>> SimulatedCloud::Create(std::shared_ptr<const InstanceClass> instance_class,
                                              CreateRequest request) {
  CO_TRY(const CallScope scope, ScopeOf(*instance_class));
  const MachineIdentity& machine = request.machine;
  if (machine.uid.empty() || machine.name.empty()) {
    co_return FailCloud(CloudCode::kInvalidArgument, "a machine needs a name and a UID");
  }
  // One attempt after the other, past those whose VM is gone. Whoever else does the same meets us
  // at the same token, so there is never more than one that lives.
  for (std::uint64_t attempt = ParseAttempt(request.remembered);; ++attempt) {
    CreateOrder order{.tags = {.cluster = cluster_,
                               .class_name = instance_class->name,
                               .machine = machine.name,
                               .namespace_ = machine.namespace_,
                               .machine_uid = machine.uid},
                      .token = TokenOf(machine, attempt),
                      .spec = scope.spec};
    CO_TRY(Made made, co_await Await(engine_.Create(std::move(order))));
    if (made.state == VmState::kGone) {
      if (!engine_.options().record_attempts) continue;
      co_return FailSpent(made.instance.id, attempt + 1);
    }
    if (made.state == VmState::kStopping) {
      co_return FailCloud(CloudCode::kAborted, made.instance.id + " is still being removed");
    }
    if (attempt > 0) made.instance.remember = std::to_string(attempt);
    co_return std::move(made.instance);
  }
}

Task<Result<Instance>> SimulatedCloud::Get(std::shared_ptr<const InstanceClass> instance_class,
                                           MachineIdentity machine) {
  CallScope scope = ScopeOrDefault(*instance_class);
  co_return co_await Await(engine_.Get(std::move(scope), std::move(machine)));
}

Task<Result<Instance>> SimulatedCloud::Initialize(
    std::shared_ptr<const InstanceClass> instance_class, CreateRequest request) {
  if (!engine_.options().initialize) {
    co_return FailCloud(CloudCode::kUnimplemented, "this cloud initializes nothing");
  }
  CallScope scope = ScopeOrDefault(*instance_class);
  co_return co_await Await(engine_.Initialize(std::move(scope), std::move(request.machine)));
}

Task<Result<void>> SimulatedCloud::Remove(std::shared_ptr<const InstanceClass> instance_class,
                                          MachineIdentity machine) {
  CallScope scope = ScopeOrDefault(*instance_class);
  co_return co_await Await(engine_.Remove(std::move(scope), std::move(machine)));
}

Task<Result<std::vector<Instance>>> SimulatedCloud::List(
    std::shared_ptr<const InstanceClass> instance_class) {
  CallScope scope = ScopeOrDefault(*instance_class);
  co_return co_await Await(engine_.List(std::move(scope)));
}

Task<Result<std::vector<std::string>>> SimulatedCloud::VolumeIds(
    std::shared_ptr<const InstanceClass>, std::vector<std::string> volumes) {
  std::vector<std::string> ids;
  for (const std::string& volume : volumes) ids.push_back(SimulatedVolumeId(volume));
  co_return ids;
}

void SimulatedCloud::Restore(const InstanceClass& instance_class, const MachineIdentity& machine,
                             const std::string& remembered) {
  engine_.Restore({.tags = {.cluster = cluster_,
                            .class_name = instance_class.name,
                            .machine = machine.name,
                            .namespace_ = machine.namespace_,
                            .machine_uid = machine.uid},
                   .token = TokenOf(machine, ParseAttempt(remembered)),
                   .spec = ScopeOrDefault(instance_class).spec},
                  machine.instance);
}

}  // namespace millwright::providers
