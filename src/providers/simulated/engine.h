// The simulated cloud itself: VMs, what they depend on, tokens, a quota, latencies and scripted
// faults. Behind the `simulated` provider (simulated.h), the simulator's scripted cloud, and any
// front to come.
//
// A plain object of whoever owns the cloud, apart from the processes that use it: a call that was
// submitted takes effect at its time whether or not its caller lives to see the answer. Nothing
// here waits. Time passes when somebody calls (Advance), and everything that was due by then
// happens at exactly its time, in order. One thread.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/random.h"
#include "base/timer_queue.h"
#include "providers/cloud.h"
#include "providers/simulated/event.h"
#include "providers/simulated/fault.h"
#include "providers/simulated/inventory.h"
#include "providers/simulated/node_board.h"

namespace millwright::providers {

struct CallTimes {
  Duration effect{};  // from the call to its effect
  Duration answer{};  // from there to the answer
};

struct EngineOptions {
  std::array<CallTimes, kCallKinds.size()> times{};  // by IndexOf(kind)
  Duration boot{};                                   // from being made to running
  Duration stop{};                                   // how long a removed VM is still there
  Duration silence = std::chrono::seconds(40);       // until the node of a VM that went is missed
  Duration join_retry = std::chrono::seconds(5);
  std::optional<std::size_t> quota;  // of VMs that live
  Duration list_lag{};               // a list shows what was there so long ago
  Duration get_lag{};                // likewise
  bool initialize = false;           // instances need to be initialized
  // A machine's second VM is made only once the attempt has been remembered for it, which whoever
  // has an old view of the machine cannot do. Else Create goes on to the next attempt by itself.
  bool record_attempts = false;
  // For a cloud that runs for days: what is gone is forgotten so long after its node is missed, and
  // no history is kept. None: both are complete.
  std::optional<Duration> forget_after;
  // None: the machine's name.
  std::function<std::string(const VmTags&)> node_name;
};

// The answer to a call: there once the result is, not to be read before its time.
template <class T>
struct Answer {
  SteadyTime at{};  // may move on when the call takes effect
  std::optional<Result<T>> result;
};

template <class T>
using Pending = std::shared_ptr<const Answer<T>>;

struct CreateOrder {
  VmTags tags;
  // At most one VM was ever made for a token; empty: none asked for that.
  std::string token;
  std::shared_ptr<const ClassSpec> spec = std::make_shared<const ClassSpec>();
};

// The instance of a token, made now or before. One that is gone stays the token's.
struct Made {
  Instance instance;
  VmState state = VmState::kNone;
};

// Who asks about what: the rules of the class's spec apply to its calls.
struct CallScope {
  std::string cluster;
  std::string class_name;
  std::shared_ptr<const ClassSpec> spec = std::make_shared<const ClassSpec>();
};

class CloudEngine {
 public:
  static constexpr std::string_view kScheme = "simulated://";  // ids begin so

  // Both must outlive it, as the clock of the cloud's owner does.
  CloudEngine(const Clock& clock, Random& random, EngineOptions options = {});
  CloudEngine(const CloudEngine&) = delete;
  CloudEngine& operator=(const CloudEngine&) = delete;

  // The calls. Each is on its way when this returns and cannot be taken back.
  Pending<Made> Create(CreateOrder order);
  Pending<Instance> Get(CallScope scope, MachineIdentity machine);
  Pending<Instance> Initialize(CallScope scope, MachineIdentity machine);
  Pending<void> Remove(CallScope scope, MachineIdentity machine);
  Pending<std::vector<Instance>> List(CallScope scope);

  // Time.
  void Advance();
  std::optional<SteadyTime> NextDue() const { return agenda_.Next(); }
  // Called when the next due time may have come nearer, or nodes have to be seen to.
  void OnChange(std::function<void()> listener) { listener_ = std::move(listener); }

  // Nodes to be joined or reported, for a NodeLife.
  std::optional<NodeTask> TakeNodeTask();
  void GiveBackNodeTask(const NodeTask& task, bool done);

  // The script: what happens from outside, at once. kNotFound if there is no such VM.
  FaultScript& faults() { return faults_; }
  EngineOptions& options() { return options_; }  // to be changed at any time
  Result<std::string> Duplicate(const std::string& id);
  Result<void> Destroy(const std::string& id, bool leave_dependants = true);
  Result<void> Halt(const std::string& id);
  Result<void> Resume(const std::string& id);
  std::string Plant(VmTags tags);  // a VM that was there before any of its callers
  // The same with the id that somebody remembers; nothing if it is there.
  void Restore(const CreateOrder& order, const std::string& id);

  // What is there, as nobody but a test can know it.
  const Vm* Find(const std::string& id);
  std::vector<const Vm*> Present();
  std::vector<const Vm*> Leaked(const std::set<Uid>& machines);
  std::size_t live() const { return live_; }
  std::size_t remembered() const { return inventory_.remembered(); }
  const std::vector<CloudEvent>& history() const { return history_; }
  std::uint64_t calls(CallKind kind) const { return calls_[IndexOf(kind)]; }

 private:
  using Fault = std::optional<FaultRule>;

  template <class T>
  struct Outcome {
    Result<T> result;
    Duration wait{};  // until the answer can be given, on top of the usual
  };

  template <class T>
  Pending<T> Submit(CallKind kind, const CallScope& scope, MachineIdentity machine,
                    std::function<Outcome<T>(const Fault&)> effect);
  Outcome<Made> DoCreate(const CreateOrder& order, const Fault& fault);
  Outcome<Instance> DoGet(const CallScope& scope, const MachineIdentity& machine);
  Outcome<Instance> DoInitialize(const CallScope& scope, const MachineIdentity& machine);
  Outcome<void> DoRemove(const CallScope& scope, const MachineIdentity& machine,
                         const Fault& fault);
  Outcome<std::vector<Instance>> DoList(const CallScope& scope);
  Result<Vm*> TheOne(const CallScope& scope, const MachineIdentity& machine, SteadyTime at);
  Vm* KnownTo(const CreateOrder& order);
  Fault DrawFault(CallKind kind, const std::string& machine, const std::string& cluster,
                  const std::string& class_name, const ClassSpec& spec);

  // The life of a VM.
  Vm& Prepare(const CreateOrder& order, std::string id = "");  // its id and what it depends on
  void Make(Vm& vm);
  Vm& MakeTwin(const Vm& vm);
  void Boot(Vm& vm);
  void Stop(Vm& vm);
  void EndVm(Vm& vm, bool by_script);
  void CleanUp(Vm& vm, bool by_script);
  Instance View(const Vm& vm) const;
  Result<Vm*> LivingVm(const std::string& id);

  void Forget(Vm& vm);
  void After(Duration delay, std::move_only_function<void()> what);
  // The same about a VM, unless it has been forgotten by then.
  void After(Duration delay, const Vm& vm, std::move_only_function<void(Vm&)> what);
  void Record(CloudEvent event);
  void Record(EventKind kind, const Vm& vm, bool by_script = false);
  WallTime WallNow() const { return clock_.Now() - (clock_.Elapsed() - now_); }
  void Tell();

  const Clock& clock_;
  Random& random_;
  EngineOptions options_;
  FaultScript faults_;
  Inventory inventory_;
  NodeBoard nodes_;
  std::vector<CloudEvent> history_;
  std::array<std::uint64_t, kCallKinds.size()> calls_{};
  std::size_t live_ = 0;

  SteadyTime now_{};  // of what happens at this moment
  TimerQueue<std::move_only_function<void()>> agenda_;
  std::optional<SteadyTime> told_;
  std::function<void()> listener_;
};

}  // namespace millwright::providers
