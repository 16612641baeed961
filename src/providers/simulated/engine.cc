#include "providers/simulated/engine.h"

#include <fmt/format.h>

namespace millwright::providers {
namespace {

// Any scheme will do that gives each VM its own address: 10.0.0.1, 10.0.0.2, ...
std::string PrivateAddress(std::uint64_t number) {
  return fmt::format("10.{}.{}.{}", number >> 16 & 255, number >> 8 & 255, number & 255);
}

}  // namespace

CloudEngine::CloudEngine(const Clock& clock, Random& random, EngineOptions options)
    : clock_(clock), random_(random), options_(std::move(options)), now_(clock.Elapsed()) {}

void CloudEngine::Advance() {
  const SteadyTime until = clock_.Elapsed();
  while (const auto due = agenda_.Next()) {
    if (*due > until) break;
    now_ = *due;
    auto what = agenda_.PopDue(until);
    (*what)();
  }
  now_ = until;
  Tell();
}

void CloudEngine::After(Duration delay, std::move_only_function<void()> what) {
  agenda_.Add(now_ + delay, std::move(what));
}

void CloudEngine::After(Duration delay, const Vm& vm, std::move_only_function<void(Vm&)> what) {
  After(delay, [this, number = vm.number, what = std::move(what)]() mutable {
    if (Vm* found = inventory_.FindByNumber(number)) what(*found);
  });
}

void CloudEngine::Tell() {
  const auto next = agenda_.Next();
  if (!listener_ || (next == told_ && !nodes_.HasWork())) return;
  told_ = next;
  listener_();
}

void CloudEngine::Record(CloudEvent event) {
  if (options_.forget_after) return;
  event.at = now_;
  history_.push_back(std::move(event));
}

void CloudEngine::Record(EventKind kind, const Vm& vm, bool by_script) {
  Record({.kind = kind,
          .instance = vm.id,
          .machine = vm.tags.machine,
          .machine_uid = vm.tags.machine_uid,
          .by_script = by_script});
}

Vm& CloudEngine::Prepare(const CreateOrder& order, std::string id) {
  if (id.empty()) id = fmt::format("{}/{}/{}", kScheme, order.spec->zone, random_.Uuid());
  Vm vm{.id = std::move(id),
        .token = order.token,
        .tags = order.tags,
        .node = options_.node_name ? options_.node_name(order.tags) : order.tags.machine,
        .spec = order.spec,
        .dependants = {.nic = true, .disk = true},
        .since = now_};
  return inventory_.Add(std::move(vm));
}

void CloudEngine::Make(Vm& vm) {
  vm.state = VmState::kBooting;
  vm.made = now_;
  vm.made_at = WallNow();
  ++live_;
  Record(EventKind::kCreated, vm, vm.by_script);
  After(vm.spec->boot.value_or(options_.boot), vm, [this](Vm& it) { Boot(it); });
}

void CloudEngine::Boot(Vm& vm) {
  if (vm.state != VmState::kBooting) return;
  vm.state = VmState::kRunning;
  Record(EventKind::kBooted, vm);
  const Fault fault =
      DrawFault(CallKind::kJoin, vm.tags.machine, vm.tags.cluster, vm.tags.class_name, *vm.spec);
  ++calls_[IndexOf(CallKind::kJoin)];
  if (fault && fault->Fails()) return;  // a machine that never reports
  After(fault ? fault->delay + fault->answer_delay : Duration{}, vm, [this](Vm& it) {
    if (!it.halted) nodes_.Wish(it, NodeSight::kReady);
  });
}

void CloudEngine::Stop(Vm& vm) {
  if (vm.state == VmState::kStopping) return;
  vm.state = VmState::kStopping;
  vm.gone = now_ + options_.stop;
  Record(EventKind::kStopping, vm);
  if (options_.stop == Duration{}) {
    EndVm(vm, false);
    CleanUp(vm, false);
    return;
  }
  After(options_.stop, vm, [this](Vm& it) {
    if (it.Lives()) EndVm(it, false);
    CleanUp(it, false);
  });
}

void CloudEngine::EndVm(Vm& vm, bool by_script) {
  vm.state = VmState::kGone;
  vm.gone = now_;
  --live_;
  Record(EventKind::kRemoved, vm, by_script);
  After(options_.silence, vm, [this](Vm& it) { nodes_.Wish(it, NodeSight::kSilent); });
}

void CloudEngine::CleanUp(Vm& vm, bool by_script) {
  if (vm.until != kNever) return;
  // A VM that was never made and has lost its parts never will be: its token is spent.
  vm.state = VmState::kGone;
  vm.dependants = {};
  vm.until = now_;
  Record(EventKind::kCleaned, vm, by_script);
  inventory_.Leave(vm);
  if (options_.forget_after) {
    After(options_.silence + *options_.forget_after, vm, [this](Vm& it) { Forget(it); });
  }
}

void CloudEngine::Forget(Vm& vm) {
  if (vm.node_busy) {
    After(options_.join_retry, vm, [this](Vm& it) { Forget(it); });
    return;
  }
  nodes_.Forget(vm);
  inventory_.Forget(vm);
}

Instance CloudEngine::View(const Vm& vm) const {
  Instance view{
      .id = vm.id, .node = vm.node, .machine = vm.tags.machine, .machine_uid = vm.tags.machine_uid};
  if (vm.made == kNever) return view;
  view.made = vm.made_at;
  view.addresses = {{"InternalIP", PrivateAddress(vm.number)}, {"Hostname", vm.node}};
  view.needs_initialize = options_.initialize && !vm.initialized;
  const SteadyTime there = vm.made + vm.spec->pending;
  if (there > now_) view.pending = there - now_;
  return view;
}

std::optional<NodeTask> CloudEngine::TakeNodeTask() { return nodes_.Take(); }

void CloudEngine::GiveBackNodeTask(const NodeTask& task, bool done) {
  Advance();
  nodes_.GiveBack(task, done);
  if (!done) After(options_.join_retry, *task.vm, [this](Vm& it) { nodes_.Requeue(it); });
  Tell();
}

}  // namespace millwright::providers
