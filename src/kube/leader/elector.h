// Stands for election, leads while elected, steps down cleanly.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/log.h"
#include "base/random.h"
#include "base/signal.h"
#include "kube/client/client.h"
#include "kube/leader/lease.h"

namespace millwright::kube {

struct ElectorOptions {
  ObjectKey lease;
  std::string identity;  // unique to this process
  LeaseTiming timing;
};

enum class LeaderOutcome {
  kStopped,  // we were asked to stop; the lease is released
  kLost,     // somebody else leads or may lead; the work was cancelled
};

class Elector {
 public:
  // Called on each change of who leads, ourselves included.
  using OnLeader = std::function<void(const std::string& identity)>;

  Elector(Client& client, Clock& clock, Random& random, Logger log, ElectorOptions options);

  void OnNewLeader(OnLeader handler) { on_leader_ = std::move(handler); }

  // Waits until elected, then runs `lead` until it ends, we are cancelled, or the lease cannot be
  // renewed in time; `lead` is cancelled and joined before this returns.
  Task<LeaderOutcome> Run(std::function<Task<void>()> lead);

  bool is_leader() const { return leading_; }

 private:
  Task<bool> Acquire();
  Task<bool> TryOnce();
  Task<Result<void>> Write(LeaseStep step);
  Task<Result<void>> Read();
  Task<void> KeepRenewing(Signal& changed);
  bool IsLost() const;
  bool IsOurs() const { return seen_ && seen_->record.holder == options_.identity; }
  Task<void> Release();
  Task<Result<void>> WriteReleased();
  void Observe(boost::json::value lease);

  Client& client_;
  Clock& clock_;
  Random& random_;
  Logger log_;
  const ElectorOptions options_;
  OnLeader on_leader_;

  std::optional<Observation> seen_;
  boost::json::value object_;  // the Lease as last seen: fields that are not ours go back unchanged
  SteadyTime renewed_{};       // when the last write that made or kept it ours began
  std::string told_leader_;
  bool leading_ = false;
};

}  // namespace millwright::kube
