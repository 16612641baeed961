// One run of a drain against the cluster: gathers what is seen, asks core/drain what to do, does
// it, and says what came of it.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "controllers/drain/acts.h"
#include "controllers/drain/attachment_record.h"
#include "controllers/drain/budget_watch.h"
#include "controllers/drain/drain_message.h"
#include "controllers/drain/order.h"
#include "controllers/drain/parts.h"
#include "controllers/drain/pod_record.h"
#include "controllers/drain/temporary_cache.h"
#include "controllers/drain/volume_book.h"

namespace millwright::controllers {

using PodCache = TemporaryCache<PodRecord>;
using AttachmentCache = TemporaryCache<AttachmentRecord>;

class DrainSession {
 public:
  // What all drains have in common. A watch begins when the first of them asks for it.
  struct Shared {
    std::function<std::shared_ptr<AttachmentCache>()> attachments;  // for pods with volumes
    std::function<std::shared_ptr<BudgetWatch>()> budgets;          // for pods that were refused
  };

  // `parts` outlives the session and has a client.
  DrainSession(const DrainParts& parts, DrainOrder order, std::shared_ptr<PodCache> pods,
               Shared shared);

  Task<Result<DrainLook>> Look();

  const DrainOrder& order() const { return order_; }
  const std::shared_ptr<PodCache>& pods() const { return pods_; }

  bool UsesAttachments() const { return attachments_ != nullptr; }
  bool UsesBudgets() const { return budgets_ != nullptr; }

  // The next look asks that pod again.
  void Release(const Uid& pod) { run_.Release(pod); }

  // Whether news of that PersistentVolume, or of what is attached to the node, concern it.
  bool AwaitsVolume(const std::string& name) const;
  bool AwaitsVolumes() const { return awaited_.has_value(); }

 private:
  // A pod with volumes that was told to go; its own volumes are awaited before the next one goes.
  struct Awaited {
    std::string pod;
    std::vector<std::string> claims;
  };

  std::vector<core::Pod> PodsToDrain() const;
  void NoteClaims(std::span<const core::Pod> pods);
  Task<void> LearnVolumes();
  core::DrainScene Observe();
  const dialects::NodeRecord* FindNode() const;
  bool KnowsAwaited() const;
  bool IsHere(const Volume& volume) const;
  bool IsElsewhere(const Volume& volume) const;
  std::vector<std::string> ClaimsToAwait(const Uid& pod) const;

  Task<void> Carry(std::span<const core::DrainAct> acts);
  Task<void> Send(core::DrainAct act, ActAnswer& answer);
  Task<void> Explain(std::span<const core::DrainAct> acts, std::span<ActAnswer> answers);

  DrainLook NotListed() const;
  DrainLook Say(const core::DrainStep& step, const core::DrainScene& scene) const;
  std::vector<PodTrouble> Troubles(const core::DrainStep& step,
                                   const core::DrainScene& scene) const;

  const DrainParts& parts_;
  const DrainOrder order_;
  const std::shared_ptr<PodCache> pods_;
  const Shared shared_;
  std::shared_ptr<AttachmentCache> attachments_;
  std::shared_ptr<BudgetWatch> budgets_;
  const WallTime began_;
  core::DrainRun run_;
  VolumeBook volumes_;
  // By pod, as they were when it was first seen: volumes that no other pod uses.
  std::map<Uid, std::vector<std::string>> claims_;
  std::optional<Awaited> awaited_;
  std::map<Uid, std::string> refusals_;  // why a pod did not go when it was last asked
};

}  // namespace millwright::controllers
