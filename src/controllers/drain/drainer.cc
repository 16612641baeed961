#include "controllers/drain/drainer.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "base/task_group.h"
#include "controllers/drain/node_pods.h"
#include "controllers/drain/session.h"

namespace millwright::controllers {

namespace {

const kube::GroupVersionResource kPods{"", "v1", "pods"};
const kube::GroupVersionResource kAttachments{"storage.k8s.io", "v1", "volumeattachments"};

const DrainLook kNothingToDo{.state = core::DrainState::kDone, .message = {}, .look_again = {}};

auto AsTuple(const core::DrainRules& rules) {
  // One that has more fields does not compile here.
  const auto& [forced, can_evict, max_attempts, retry_refused, retry_failed, after_grace, detach,
               reattach, limit] = rules;
  return std::make_tuple(forced, can_evict, max_attempts, retry_refused, retry_failed, after_grace,
                         detach, reattach, limit);
}

DrainParts PartsOf(Surroundings& surroundings, Caches& caches) {
  return {.executor = surroundings.executor,
          .clock = surroundings.clock,
          .random = surroundings.random,
          .log = surroundings.log,
          .target = surroundings.target,
          .nodes = caches.nodes ? &*caches.nodes : nullptr};
}

}  // namespace

struct Drainer::State {
  State(DrainParts parts, Wake wake)
      : parts(std::move(parts)), wake(std::move(wake)), tasks(this->parts.executor) {}

  std::shared_ptr<DrainSession> SessionFor(DrainOrder order);
  std::shared_ptr<PodCache> BeginPods(const DrainOrder& order);
  std::shared_ptr<AttachmentCache> BeginAttachments();
  std::shared_ptr<BudgetWatch> BeginBudgets();
  void EndUnused();
  void SawAttachment(const AttachmentRecord& attachment) const;
  void SawAttachments() const;
  void Release(const BudgetWatch::Waiter& waiter);
  void SawNode(const dialects::NodeRecord* before, const dialects::NodeRecord* after) const;

  const DrainParts parts;
  const Wake wake;
  std::unordered_map<Uid, std::shared_ptr<DrainSession>> sessions;
  // One for all; none: nobody needs it.
  std::shared_ptr<AttachmentCache> attachments;
  std::shared_ptr<BudgetWatch> budgets;
  TaskGroup tasks;
};

// A new session for a new machine, node or way of draining; else the one there is.
std::shared_ptr<DrainSession> Drainer::State::SessionFor(DrainOrder order) {
  std::shared_ptr<DrainSession>& session = sessions[order.machine_uid];
  const bool same_node = session && session->order().node == order.node;
  if (same_node && AsTuple(session->order().rules) == AsTuple(order.rules)) return session;
  std::shared_ptr<PodCache> pods;
  if (same_node) {
    pods = session->pods();
  } else {
    if (session) session->pods()->Stop();
    pods = BeginPods(order);
  }
  if (budgets) budgets->Leave(order.machine_uid);
  session = std::make_shared<DrainSession>(
      parts, std::move(order), std::move(pods),
      DrainSession::Shared{.attachments = [this] { return BeginAttachments(); },
                           .budgets = [this] { return BeginBudgets(); }});
  EndUnused();
  return session;
}

std::shared_ptr<PodCache> Drainer::State::BeginPods(const DrainOrder& order) {
  const auto tell = [this, machine = order.machine] { wake(machine); };
  auto pods = std::make_shared<PodCache>(
      parts,
      kube::ReflectorOptions{.resource = kPods, .field_selector = "spec.nodeName=" + order.node},
      ReadPod,
      PodCache::Listeners{.changed = [tell](const PodRecord*, const PodRecord*) { tell(); },
                          .synced = tell});
  tasks.Spawn([pods] { return PodCache::Run(pods); });
  return pods;
}

std::shared_ptr<AttachmentCache> Drainer::State::BeginAttachments() {
  if (attachments) return attachments;
  attachments = std::make_shared<AttachmentCache>(
      parts, kube::ReflectorOptions{.resource = kAttachments}, ReadAttachment,
      AttachmentCache::Listeners{
          .changed =
              [this](const AttachmentRecord* before, const AttachmentRecord* after) {
                SawAttachment(after != nullptr ? *after : *before);
              },
          .synced = [this] { SawAttachments(); }});
  tasks.Spawn([cache = attachments] { return AttachmentCache::Run(cache); });
  return attachments;
}

std::shared_ptr<BudgetWatch> Drainer::State::BeginBudgets() {
  if (budgets) return budgets;
  budgets = std::make_shared<BudgetWatch>(
      parts, [this](const BudgetWatch::Waiter& waiter) { Release(waiter); });
  tasks.Spawn([watch = budgets] { return BudgetWatch::Run(watch); });
  return budgets;
}

void Drainer::State::EndUnused() {
  const auto end = [this](auto& cache, bool (DrainSession::*uses)() const) {
    if (!cache) return;
    for (const auto& [machine, session] : sessions) {
      if ((*session.*uses)()) return;
    }
    cache->Stop();
    cache.reset();
  };
  end(attachments, &DrainSession::UsesAttachments);
  end(budgets, &DrainSession::UsesBudgets);
}

void Drainer::State::Release(const BudgetWatch::Waiter& waiter) {
  const auto session = sessions.find(waiter.machine);
  if (session == sessions.end()) return;
  session->second->Release(waiter.pod);
  wake(session->second->order().machine);
}

void Drainer::State::SawAttachment(const AttachmentRecord& attachment) const {
  for (const auto& [machine, session] : sessions) {
    if (session->AwaitsVolume(attachment.volume)) wake(session->order().machine);
  }
}

// All of them, for the first time.
void Drainer::State::SawAttachments() const {
  for (const auto& [machine, session] : sessions) {
    if (session->AwaitsVolumes()) wake(session->order().machine);
  }
}

void Drainer::State::SawNode(const dialects::NodeRecord* before,
                             const dialects::NodeRecord* after) const {
  if (before != nullptr && after != nullptr && before->attached_volumes == after->attached_volumes)
    return;
  const std::string& node = (after != nullptr ? after : before)->meta.key.name;
  for (const auto& [machine, session] : sessions) {
    if (session->order().node == node && session->AwaitsVolumes()) wake(session->order().machine);
  }
}

Drainer::Drainer(Surroundings& surroundings, Caches& caches, Wake wake)
    : Drainer(PartsOf(surroundings, caches), std::move(wake)) {}

Drainer::Drainer(DrainParts parts, Wake wake)
    : state_(std::make_unique<State>(std::move(parts), std::move(wake))) {
  if (state_->parts.nodes == nullptr) return;
  state_->parts.nodes->OnChange(
      [state = state_.get()](const dialects::NodeRecord* before,
                             const dialects::NodeRecord* after) { state->SawNode(before, after); });
}

Drainer::~Drainer() = default;

Task<Result<DrainLook>> Drainer::Look(DrainOrder order) {
  if (state_->parts.target == nullptr || order.node.empty()) {
    co_return kNothingToDo;
  }
  // Many nodes have nothing to drain when their turn comes. A watch would cost the server more than
  // the answer.
  if (!state_->sessions.contains(order.machine_uid)) {
    const auto emptied =
        co_await IsEmptied(*state_->parts.target, order.node, state_->parts.clock.Now());
    if (emptied && *emptied) co_return kNothingToDo;
  }
  // Ours for the whole look, whoever forgets it meanwhile.
  const std::shared_ptr<DrainSession> session = state_->SessionFor(std::move(order));
  co_return co_await session->Look();
}

void Drainer::Forget(const Uid& machine) {
  const auto found = state_->sessions.find(machine);
  if (found == state_->sessions.end()) return;
  found->second->pods()->Stop();
  state_->sessions.erase(found);
  if (state_->budgets) state_->budgets->Leave(machine);
  state_->EndUnused();
}

Task<void> Drainer::Run() {
  co_await UntilCancelled();
  state_->tasks.Cancel();
  co_await state_->tasks.Join();
}

}  // namespace millwright::controllers
