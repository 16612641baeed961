#include "controllers/drain/session.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/task_group.h"
#include "controllers/drain/node_pods.h"
#include "core/drain/volumes.h"

namespace millwright::controllers {

using core::Blocker;
using core::DrainAct;
using core::DrainAnswer;
using core::DrainScene;
using core::DrainState;
using core::DrainStep;
using core::Pod;

namespace {

// A worker is not kept for longer by one look. What is not done by then is done by the next.
constexpr Duration kPatience = std::chrono::seconds(5);

constexpr const char* kDoesNotGo = "was told to go and is still there";
constexpr const char* kVolumeStays = "its volumes have not left the node in time";
constexpr const char* kVolumeLeaves = "its volumes are leaving the node";
constexpr const char* kVolumeComesUp = "its volumes are not attached to another node yet";

void LookAt(DrainLook& look, WallTime time) {
  look.look_again = std::min(look.look_again.value_or(time), time);
}

}  // namespace

DrainSession::DrainSession(const DrainParts& parts, DrainOrder order,
                           std::shared_ptr<PodCache> pods, Shared shared)
    : parts_(parts),
      order_(std::move(order)),
      pods_(std::move(pods)),
      shared_(std::move(shared)),
      began_(parts.clock.Now()),
      run_(order_.rules, began_),
      volumes_(parts.executor, *parts.target) {}

Task<Result<DrainLook>> DrainSession::Look() {
  const SteadyTime enough = parts_.clock.Elapsed() + kPatience;
  const Wake listed = co_await pods_->WaitSynced(enough);
  if (listed == Wake::kTimeout) co_return NotListed();
  while (!co_await IsCancelled()) {
    co_await LearnVolumes();
    const DrainScene scene = Observe();
    const DrainStep step = run_.Plan(scene, parts_.clock.Now());
    if (!step.turn) awaited_.reset();
    if (step.acts.empty() || parts_.clock.Elapsed() >= enough) co_return Say(step, scene);
    co_await Carry(step.acts);
  }
  co_return Fail(ErrorKind::kCancelled, "draining node " + order_.node);
}

// ---- What is seen

const dialects::NodeRecord* DrainSession::FindNode() const {
  if (parts_.nodes == nullptr) return nullptr;
  return parts_.nodes->store().Find({.namespace_ = {}, .name = order_.node});
}

std::vector<Pod> DrainSession::PodsToDrain() const {
  std::vector<Pod> pods;
  for (const PodRecord& record : pods_->store().objects()) {
    Pod pod = AsPod(record);
    if (MustGo(pod, parts_.clock.Now())) pods.push_back(std::move(pod));
  }
  std::ranges::sort(pods, {}, &Pod::key);
  return pods;
}

// Which volumes are a pod's own is decided when it is first seen: one that it shared leaves with
// the last of its users, and is not awaited.
void DrainSession::NoteClaims(std::span<const Pod> pods) {
  const auto exclusive = core::ExclusiveVolumes(pods);
  for (const Pod& pod : pods) {
    if (pod.volumes.empty() || claims_.contains(pod.uid)) continue;
    const auto own = exclusive.find(pod.key);
    claims_[pod.uid] = own == exclusive.end() ? std::vector<std::string>() : own->second;
  }
}

Task<void> DrainSession::LearnVolumes() {
  if (order_.rules.forced) co_return;
  const std::vector<Pod> pods = PodsToDrain();
  NoteClaims(pods);
  if (claims_.empty()) co_return;
  if (!attachments_) attachments_ = shared_.attachments();
  std::set<std::string> claims;
  for (const Pod& pod : pods) {
    const auto own = claims_.find(pod.uid);
    if (own != claims_.end()) claims.insert(own->second.begin(), own->second.end());
  }
  if (awaited_) claims.insert(awaited_->claims.begin(), awaited_->claims.end());
  co_await volumes_.Learn(std::move(claims), order_.cloud, order_.instance_class);
}

DrainScene DrainSession::Observe() {
  const dialects::NodeRecord* node = FindNode();
  DrainScene scene{.pods = PodsToDrain(), .node_exists = node != nullptr};
  if (!order_.rules.forced) NoteClaims(scene.pods);
  if (!awaited_ || node == nullptr || !KnowsAwaited()) return scene;
  std::vector<std::string> ids;
  scene.turn_reattached = true;
  for (const std::string& claim : awaited_->claims) {
    const Volume& volume = *volumes_.Find(claim);
    if (volume.id.empty()) continue;
    ids.push_back(volume.id);
    scene.turn_reattached = scene.turn_reattached && IsElsewhere(volume);
  }
  scene.turn_detached = core::HaveLeft(ids, node->attached_volumes);
  return scene;
}

bool DrainSession::KnowsAwaited() const {
  return std::ranges::all_of(awaited_->claims, [this](const std::string& claim) {
    return volumes_.Find(claim) != nullptr;
  });
}

bool DrainSession::AwaitsVolume(const std::string& name) const {
  return awaited_ && std::ranges::any_of(awaited_->claims, [&](const std::string& claim) {
           const Volume* volume = volumes_.Find(claim);
           return volume != nullptr && volume->name == name;
         });
}

bool DrainSession::IsHere(const Volume& volume) const {
  const dialects::NodeRecord* node = FindNode();
  return node != nullptr && !core::HaveLeft(std::span(&volume.id, 1), node->attached_volumes);
}

bool DrainSession::IsElsewhere(const Volume& volume) const {
  return attachments_ && std::ranges::any_of(attachments_->store().objects(),
                                             [&](const AttachmentRecord& attachment) {
                                               return attachment.volume == volume.name &&
                                                      attachment.attached &&
                                                      attachment.node != order_.node;
                                             });
}

// Of what was only guessed we do not know whether it is ever attached; if it is not now, there is
// nothing to wait for.
std::vector<std::string> DrainSession::ClaimsToAwait(const Uid& pod) const {
  std::vector<std::string> claims = claims_.at(pod);
  std::erase_if(claims, [this](const std::string& claim) {
    const Volume* volume = volumes_.Find(claim);
    return volume != nullptr && volume->guessed && !IsHere(*volume);
  });
  return claims;
}

// ---- What is done

Task<void> DrainSession::Carry(std::span<const DrainAct> acts) {
  std::optional<Awaited> next;
  for (const DrainAct& act : acts) {
    // At most one of them has volumes. What it has to let go of is known only before it goes.
    if (claims_.contains(act.uid)) next = {.pod = act.key, .claims = ClaimsToAwait(act.uid)};
  }
  std::vector<ActAnswer> answers(acts.size());
  TaskGroup group(parts_.executor);
  for (std::size_t i = 0; i < acts.size(); ++i) {
    group.Spawn([this, &act = acts[i], &answer = answers[i]] { return Send(act, answer); });
  }
  co_await group.Join();
  co_await Explain(acts, answers);
  for (std::size_t i = 0; i < acts.size(); ++i) {
    run_.Note(acts[i], answers[i].answer, parts_.clock.Now());
    if (answers[i].why.empty()) {
      refusals_.erase(acts[i].uid);
    } else {
      refusals_.insert_or_assign(acts[i].uid, std::move(answers[i].why));
    }
    if (next && next->pod == acts[i].key && answers[i].answer == DrainAnswer::kAccepted) {
      awaited_ = std::move(next);
      next.reset();
    }
  }
}

Task<void> DrainSession::Send(DrainAct act, ActAnswer& answer) {
  answer = co_await CarryOut(*parts_.target, std::move(act));
}

Task<void> DrainSession::Explain(std::span<const DrainAct> acts, std::span<ActAnswer> answers) {
  for (std::size_t i = 0; i < acts.size(); ++i) {
    if (answers[i].answer != DrainAnswer::kRefused) continue;
    const PodRecord* pod = pods_->store().Find(kube::ParseObjectKey(acts[i].key).value());
    if (pod == nullptr) continue;
    if (!budgets_) budgets_ = shared_.budgets();
    Refusal refusal = co_await budgets_->Explain(order_.machine_uid, pod->meta, pod->labels,
                                                 std::move(answers[i].why));
    answers[i] = {refusal.answer, std::move(refusal.why)};
  }
}

// ---- What is said

DrainLook DrainSession::NotListed() const {
  const WallTime end = began_ + order_.rules.limit;
  std::string message = "the pods of node " + order_.node + " cannot be listed yet";
  if (parts_.clock.Now() >= end) {
    return {.state = DrainState::kTimeOver, .message = std::move(message), .look_again = {}};
  }
  return {.message = std::move(message), .look_again = end};
}

DrainLook DrainSession::Say(const DrainStep& step, const DrainScene& scene) const {
  const WallTime now = parts_.clock.Now();
  DrainLook look{.state = step.state, .message = {}, .look_again = step.look_again};
  std::vector<PodTrouble> troubles = Troubles(step, scene);
  // A pod that cannot be read is there all the same.
  for (const auto& [key, pod] : pods_->store().broken()) {
    troubles.push_back({key.ToString(), "cannot be read: " + pod.reason});
    if (look.state != DrainState::kDone || order_.rules.forced) continue;
    const WallTime end = began_ + order_.rules.limit;
    look.state = now >= end ? DrainState::kTimeOver : DrainState::kBlocked;
    look.look_again = end;
  }
  if (!step.acts.empty()) LookAt(look, now);
  if (awaited_ && !KnowsAwaited()) LookAt(look, now + order_.rules.retry_failed);
  look.message = DescribeDrain(step.state == DrainState::kDone ? 0 : scene.pods.size(), troubles);
  return look;
}

std::vector<PodTrouble> DrainSession::Troubles(const DrainStep& step,
                                               const DrainScene& scene) const {
  std::vector<PodTrouble> troubles;
  for (const Blocker& blocker : step.blockers) {
    if (blocker.why == Blocker::Why::kDoesNotGo) troubles.push_back({blocker.key, kDoesNotGo});
    if (blocker.why == Blocker::Why::kVolumeStays) troubles.push_back({blocker.key, kVolumeStays});
  }
  for (const Pod& pod : scene.pods) {
    const auto refusal = refusals_.find(pod.uid);
    if (refusal != refusals_.end()) troubles.push_back({pod.key, refusal->second});
  }
  if (step.turn) {
    troubles.push_back({*step.turn, scene.turn_detached ? kVolumeComesUp : kVolumeLeaves});
  }
  return troubles;
}

}  // namespace millwright::controllers
