// A cloud whose calls are meddled with: the sender dies before or after, or the
// call fails.
#pragma once

#include <functional>

#include "base/task_group.h"
#include "providers/cloud_around.h"
#include "tests/sim/mutants.h"
#include "tests/sim/wire.h"

namespace millwright::sim {

class FaultyCloud final : public providers::CloudAround<FaultyCloud> {
 public:
  // Asked for each call.
  using Meddle = std::function<WireFault()>;

  // `mutant` may be null.
  FaultyCloud(providers::Cloud& real, Meddle meddle, const Mutant* mutant)
      : CloudAround(real), meddle_(std::move(meddle)), mutant_(mutant) {}

  Task<Result<providers::Instance>> Create(Class of, providers::CreateRequest request) override {
    if (mutant_ != nullptr && mutant_->create != nullptr) mutant_->create(request);
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
  Task<Result<T>> Around(providers::CloudCall /*call*/,
                         std::optional<providers::MachineIdentity> /*machine*/,
                         Task<Result<T>> task) {
    using Kind = WireFault::Kind;
    const WireFault fault = meddle_();
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

  const Meddle meddle_;
  const Mutant* mutant_;
};

}  // namespace millwright::sim
