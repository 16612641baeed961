// A cloud whose calls are meddled with: the sender dies before or after, or the call fails.
#pragma once

#include <functional>

#include "base/task_group.h"
#include "providers/cloud.h"
#include "tests/sim/mutants.h"
#include "tests/sim/wire.h"

namespace millwright::sim {

class FaultyCloud final : public providers::Cloud {
 public:
  // Asked for each call, by its name.
  using Meddle = std::function<WireFault(std::string_view call)>;

  // `mutant` may be null.
  FaultyCloud(providers::Cloud& real, Meddle meddle, const Mutant* mutant)
      : real_(real), meddle_(std::move(meddle)), mutant_(mutant) {}

  providers::Capabilities capabilities() const override { return real_.capabilities(); }
  Result<void> Validate(const providers::InstanceClass& of) const override {
    return real_.Validate(of);
  }

  using Class = std::shared_ptr<const providers::InstanceClass>;
  Task<Result<providers::Instance>> Create(Class of, providers::CreateRequest request) override {
    if (mutant_ != nullptr && mutant_->create != nullptr) mutant_->create(request);
    return Through<providers::Instance>("create", real_.Create(of, std::move(request)));
  }
  Task<Result<providers::Instance>> Get(Class of, providers::MachineIdentity machine) override {
    auto answer = co_await Through<providers::Instance>("get", real_.Get(of, std::move(machine)));
    if (mutant_ != nullptr && mutant_->got != nullptr) mutant_->got(answer);
    co_return answer;
  }
  Task<Result<providers::Instance>> Initialize(Class of,
                                               providers::CreateRequest request) override {
    return Through<providers::Instance>("initialize", real_.Initialize(of, std::move(request)));
  }
  Task<Result<void>> Remove(Class of, providers::MachineIdentity machine) override {
    Result<void> pretended;
    const bool mutated = mutant_ != nullptr && mutant_->remove != nullptr;
    if (mutated && mutant_->remove(machine, pretended)) co_return pretended;
    auto answer = co_await Through<void>("remove", real_.Remove(of, std::move(machine)));
    if (mutant_ != nullptr && mutant_->removed != nullptr) mutant_->removed(answer);
    co_return answer;
  }
  Task<Result<std::vector<providers::Instance>>> List(Class of) override {
    return Through<std::vector<providers::Instance>>("list", real_.List(of));
  }

 private:
  template <class T>
  Task<Result<T>> Through(std::string_view call, Task<Result<T>> task) {
    using Kind = WireFault::Kind;
    const WireFault fault = meddle_(call);
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

  providers::Cloud& real_;
  const Meddle meddle_;
  const Mutant* mutant_;
};

}  // namespace millwright::sim
