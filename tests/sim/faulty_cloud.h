// A cloud whose calls are meddled with: the sender dies before or after, or the
// call fails.
#pragma once

#include <functional>

#include "base/task_group.h"
#include "providers/cloud_around.h"
#include "tests/sim/mutants.h"
#include "tests/sim/wire.h"

namespace millwright::sim {

// A call that is about to be made.
struct FaultyCall {
  std::string_view name;
  std::string machine;  // empty: it is about no single one
};

class FaultyCloud final : public providers::CloudAround<FaultyCloud> {
 public:
  // Asked for each call.
  using Meddle = std::function<WireFault(const FaultyCall&)>;

  // `mutant` may be null; `serial` is for it.
  FaultyCloud(providers::Cloud& real, Meddle meddle, const Mutant* mutant,
              std::function<std::uint64_t()> serial)
      : CloudAround(real),
        meddle_(std::move(meddle)),
        mutant_(mutant),
        serial_(std::move(serial)) {}

  Task<Result<providers::Instance>> Create(Class of, providers::CreateRequest request) override {
    if (mutant_ != nullptr && mutant_->create != nullptr) mutant_->create(request, serial_());
    return CloudAround::Create(std::move(of), std::move(request));
  }
  Task<Result<providers::Instance>> Get(Class of, providers::MachineIdentity machine) override {
    auto answer = co_await CloudAround::Get(std::move(of), std::move(machine));
    if (mutant_ != nullptr && mutant_->got != nullptr) mutant_->got(answer);
    co_return answer;
  }
  Task<Result<void>> Remove(Class of, providers::MachineIdentity machine) override {
    Result<void> pretended;
    const bool mutated = mutant_ != nullptr && mutant_->remove != nullptr;
    if (mutated && mutant_->remove(machine, pretended)) co_return pretended;
    auto answer = co_await CloudAround::Remove(std::move(of), std::move(machine));
    if (mutant_ != nullptr && mutant_->removed != nullptr) mutant_->removed(answer);
    co_return answer;
  }

 private:
  friend CloudAround;

  template <class T>
  Task<Result<T>> Around(providers::CloudCall call,
                         std::optional<providers::MachineIdentity> machine, Task<Result<T>> task) {
    using Kind = WireFault::Kind;
    const WireFault fault =
        meddle_({.name = NameOf(call), .machine = machine ? machine->name : std::string()});
    if (fault.kind == Kind::kHang) {
      fault.hung();
      co_await UntilCancelled();
    }
    if (fault.kind == Kind::kRefused) {
      co_return providers::FailCloud(core::CloudCode::kUnavailable, "the cloud is away");
    }
    auto answer = co_await std::move(task);
    if (fault.kind == Kind::kHangAfter) {
      fault.hung();
      co_await UntilCancelled();
    }
    if (fault.kind == Kind::kAnswerLost) {
      co_return providers::FailCloud(core::CloudCode::kDeadlineExceeded, "the answer was lost");
    }
    co_return answer;
  }

  static std::string_view NameOf(providers::CloudCall call) {
    using enum providers::CloudCall;
    switch (call) {
      case kCreate: return "create";
      case kGet: return "get";
      case kInitialize: return "initialize";
      case kRemove: return "remove";
      case kList: return "list";
      case kVolumeIds: return "volume ids";
    }
    return "call";
  }

  const Meddle meddle_;
  const Mutant* mutant_;
  const std::function<std::uint64_t()> serial_;
};

}  // namespace millwright::sim
