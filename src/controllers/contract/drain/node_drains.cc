#include "controllers/contract/drain/node_drains.h"

#include <algorithm>
#include <ranges>

#include "controllers/contract/drain/drain_rules.h"
#include "controllers/contract/shared/labelled_record.h"
#include "controllers/contract/shared/old_view.h"
#include "controllers/drain/attachment_record.h"
#include "controllers/drain/parts.h"
#include "kube/api/json_text.h"
#include "kube/projection/list.h"

namespace millwright::controllers::contract {

using core::Pod;
using kube::ForEachField;
using kube::ForEachItem;
using kube::JsonObject;
using kube::JsonValue;
using kube::ReadInto;

namespace {

constexpr Duration kRetry = std::chrono::seconds(20);
constexpr Duration kEvictionTime = std::chrono::seconds(10);
constexpr Duration kListPatience = std::chrono::seconds(10);
constexpr int kEvictionsAtOnce = 5;
constexpr std::int64_t kPage = 100;

const kube::GroupVersionResource kPods{"", "v1", "pods"};
const kube::GroupVersionResource kNamespaces{"", "v1", "namespaces"};
const kube::GroupVersionResource kDaemonSets{"apps", "v1", "daemonsets"};
const kube::GroupVersionResource kVolumes{"", "v1", "persistentvolumes"};
const kube::GroupVersionResource kAttachments{"storage.k8s.io", "v1", "volumeattachments"};

constexpr core::ClassifyPolicy kPolicy{
    .evicts_stray_daemon_pods = true, .honours_rules = true, .forgets_pods_of_lost_nodes = true};

Result<void> ReadController(JsonValue owner, std::string& name) {
  std::string found;
  bool controls = false;
  CHECK_OK(ForEachField(owner, [&](std::string_view key, JsonValue value) -> Result<void> {
    if (key == "name") return ReadInto(value, found);
    if (key == "controller") return ReadInto(value, controls);
    return {};
  }));
  if (controls) name = std::move(found);
  return {};
}

Result<core::PersistentVolume> ReadVolume(JsonObject object) {
  core::PersistentVolume volume;
  std::string driver;
  std::string handle;
  std::string claim_kind = "PersistentVolumeClaim";
  kube::ObjectKey claim;
  CHECK_OK(ForEachField(object, [&](std::string_view part, JsonValue value) -> Result<void> {
    return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
      if (part == "metadata" && key == "name") return ReadInto(field, volume.name);
      if (part != "spec" || (key != "csi" && key != "claimRef")) return {};
      return ForEachField(field, [&](std::string_view name, JsonValue inner) -> Result<void> {
        if (name == "driver") return ReadInto(inner, driver);
        if (name == "volumeHandle") return ReadInto(inner, handle);
        if (name == "kind") return ReadInto(inner, claim_kind);
        if (name == "name") return ReadInto(inner, claim.name);
        if (name == "namespace") return ReadInto(inner, claim.namespace_);
        return {};
      });
    });
  }));
  if (!driver.empty()) volume.attached_name = "kubernetes.io/csi/" + driver + "^" + handle;
  if (!claim.name.empty() && claim_kind == "PersistentVolumeClaim") {
    volume.claim = claim.ToString();
  }
  return volume;
}

// All pages of a kind.
Task<Result<void>> ListAll(kube::Client& client, kube::GroupVersionResource resource,
                           bool metadata_only, std::function<Result<void>(JsonObject)> visit) {
  kube::ListOptions options{.limit = kPage, .metadata_only = metadata_only};
  do {
    CO_TRY(std::string page, co_await client.List(resource, options));
    CO_TRY(kube::ListMeta meta, kube::ForEachListItem(std::move(page), visit));
    options.continue_token = std::move(meta.continue_token);
  } while (!options.continue_token.empty());
  co_return Ok();
}

}  // namespace

// The watch of one node's pods, and what was found out about them.
struct NodeDrains::Session {
  kube::ObjectKey machine;
  std::shared_ptr<RemoteCluster> remote;
  std::string node;
  DrainParts parts;
  std::shared_ptr<PodCache> pods;
  DaemonSets daemon_sets;
};

struct NodeDrains::Attachments {
  std::shared_ptr<RemoteCluster> remote;
  DrainParts parts;
  std::shared_ptr<TemporaryCache<AttachmentRecord>> cache;
  std::map<std::string, kube::ObjectKey> waiting;  // machines by their nodes
};

NodeDrains::NodeDrains(Surroundings& surroundings, WakeMachine wake)
    : surroundings_(surroundings),
      log_(surroundings.log.For("contract.drain")),
      wake_(std::move(wake)),
      tasks_(surroundings.executor) {}

NodeDrains::~NodeDrains() = default;

Task<void> NodeDrains::Run() {
  co_await UntilCancelled();
  tasks_.Cancel();
  co_await tasks_.Join();
}

void NodeDrains::Forget(const Uid& machine) {
  const auto session = sessions_.find(machine);
  if (session == sessions_.end()) return;
  session->second->pods->Stop();
  const auto watched = attachments_.find(session->second->remote.get());
  if (watched != attachments_.end()) {
    watched->second->waiting.erase(session->second->node);
    if (watched->second->waiting.empty()) {
      watched->second->cache->Stop();
      attachments_.erase(watched);
    }
  }
  const auto budgets = budgets_.find(session->second->remote.get());
  if (budgets != budgets_.end()) {
    budgets->second->Leave(machine);
    if (budgets->second->IsIdle()) {
      budgets->second->Stop();
      budgets_.erase(budgets);
    }
  }
  sessions_.erase(session);
}

Result<NodeDrains::DrainPod> NodeDrains::ReadDrainPod(JsonObject object) {
  DrainPod pod;
  TRY(static_cast<PodRecord&>(pod), ReadPod(object));
  if (const auto code = object.reset().error()) return Failure(kube::JsonError(code));
  CHECK_OK(ForEachField(object, [&](std::string_view part, JsonValue value) -> Result<void> {
    if (part != "metadata") return {};
    return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
      if (key != "ownerReferences") return {};
      return ForEachItem(
          field, [&](JsonValue owner) { return ReadController(owner, pod.controller_name); });
    });
  }));
  return pod;
}

std::shared_ptr<NodeDrains::Session> NodeDrains::FindSession(const DrainOrder& order) const {
  const auto found = sessions_.find(order.uid);
  if (found == sessions_.end()) return nullptr;
  const bool same = found->second->remote == order.remote && found->second->node == order.node;
  return same ? found->second : nullptr;
}

std::shared_ptr<NodeDrains::Session> NodeDrains::SessionFor(const DrainOrder& order) {
  if (auto found = FindSession(order)) return found;
  std::shared_ptr<Session>& session = sessions_[order.uid];
  if (session != nullptr) session->pods->Stop();
  session = std::make_shared<Session>(Session{.machine = order.machine,
                                              .remote = order.remote,
                                              .node = order.node,
                                              .parts = {.executor = surroundings_.executor,
                                                        .clock = surroundings_.clock,
                                                        .random = surroundings_.random,
                                                        .log = surroundings_.log,
                                                        .target = &order.remote->client()},
                                              .pods = nullptr,
                                              .daemon_sets = {}});
  session->pods = std::make_shared<PodCache>(
      session->parts,
      kube::ReflectorOptions{.resource = kPods, .field_selector = "spec.nodeName=" + order.node},
      ReadDrainPod,
      PodCache::Listeners{.changed = [this, machine = order.machine](
                                         const DrainPod*, const DrainPod*) { wake_(machine); },
                          .synced = [this, machine = order.machine] { wake_(machine); }});
  // The session stays as long as its watch runs: it holds the connection.
  tasks_.Spawn([session, pods = session->pods]() -> Task<void> { return PodCache::Run(pods); });
  return session;
}

Task<Result<NodeDrains::DrainPods>> NodeDrains::WaitListed(std::shared_ptr<Session> session) {
  const Wake why =
      co_await session->pods->WaitSynced(surroundings_.clock.Elapsed() + kListPatience);
  if (why == Wake::kDone) {
    const auto pods = session->pods->store().objects();
    co_return DrainPods(pods.begin(), pods.end());
  }
  if (why == Wake::kCancelled) co_return Fail(ErrorKind::kCancelled, "asked to stop");
  co_return Fail(ErrorKind::kUnavailable, "the pods of the node cannot be listed");
}

// A DaemonSet that is gone does not make its pods anew.
Task<Result<void>> NodeDrains::FindDaemonSets(kube::Client& client, const DrainPods& pods,
                                              DaemonSets& daemon_sets) {
  std::set<kube::ObjectKey> unknown;
  for (const DrainPod& pod : pods) {
    if (pod.controller != "DaemonSet") continue;
    const kube::ObjectKey key{pod.meta.key.namespace_, pod.controller_name};
    if (!daemon_sets.contains(key)) unknown.insert(key);
  }
  for (const kube::ObjectKey& key : unknown) {
    CO_TRY(const auto found, co_await client.Find(kDaemonSets, key));
    daemon_sets[key] = found.has_value();
  }
  co_return Ok();
}

Task<Result<std::map<std::string, kube::Labels>>> NodeDrains::ListNamespaces(kube::Client& client) {
  std::map<std::string, kube::Labels> namespaces;
  CO_CHECK(co_await ListAll(client, kNamespaces, true, [&](JsonObject object) -> Result<void> {
    TRY(LabelledRecord record, ReadLabelled(object));
    namespaces[record.meta.key.name] = std::move(record.labels);
    return {};
  }));
  co_return namespaces;
}

Task<Result<NodeDrains::Judged>> NodeDrains::Judge(std::shared_ptr<Session> session,
                                                   DrainOrder order, bool unreachable) {
  CO_TRY(DrainPods pods, co_await WaitListed(session));
  co_return co_await Judge(std::move(pods), session->daemon_sets, std::move(order), unreachable);
}

Task<Result<NodeDrains::Judged>> NodeDrains::Judge(DrainPods pods, DaemonSets& daemon_sets,
                                                   DrainOrder order, bool unreachable) {
  kube::Client& client = order.remote->client();
  CO_CHECK(co_await FindDaemonSets(client, pods, daemon_sets));
  std::map<std::string, kube::Labels> namespaces;
  if (!order.rules.empty() && !pods.empty()) {
    CO_TRY(namespaces, co_await ListNamespaces(client));
  }
  Judged judged;
  const WallTime now = surroundings_.clock.Now();
  for (const DrainPod& record : pods) {
    Pod pod = AsPod(record);
    // What counts here is when it should have been gone, not when it was told to go.
    pod.deleting_since = record.meta.deleting_since;
    const auto set = daemon_sets.find({record.meta.key.namespace_, record.controller_name});
    if (pod.owner == Pod::Owner::kDaemonSet && set != daemon_sets.end() && !set->second) {
      pod.owner = Pod::Owner::kLostDaemonSet;
    }
    pod.label = RuleOfLabel(record.labels);
    if (!order.rules.empty() && !pod.label) {
      const auto space = namespaces.find(record.meta.key.namespace_);
      if (space == namespaces.end()) {
        co_return Fail(ErrorKind::kUnavailable,
                       "Pod " + pod.key + ": Pod Namespace does not exist");
      }
      CO_TRY(pod.rule, RuleFor(order.rules, record.labels, space->second));
    }
    judged.verdicts.push_back(core::ClassifyPod(pod, kPolicy, unreachable, now));
    judged.pods.push_back(std::move(pod));
  }
  co_return judged;
}

// Many nodes have nothing to drain when their turn comes. A watch would cost the server more than
// the answer.
Task<bool> NodeDrains::HasNothingToDrain(DrainOrder order, bool unreachable) {
  auto list = co_await order.remote->client().List(
      kPods, {.field_selector = "spec.nodeName=" + order.node});
  if (!list) co_return false;  // the watch tells why
  DrainPods pods;
  const auto end = kube::ForEachListItem(*std::move(list), [&](JsonObject object) -> Result<void> {
    TRY(pods.emplace_back(), ReadDrainPod(object));
    return {};
  });
  if (!end || !end->continue_token.empty()) co_return false;
  DaemonSets daemon_sets;
  const auto judged = co_await Judge(std::move(pods), daemon_sets, std::move(order), unreachable);
  co_return judged&& core::PlanWaves(judged->pods, judged->verdicts).done();
}

Task<void> NodeDrains::EvictSome(kube::Client& client, std::vector<Pod>& pods, bool unreachable,
                                 SteadyTime deadline, Kept& kept) {
  while (!pods.empty()) {
    const Pod pod = std::move(pods.back());
    pods.pop_back();
    if (surroundings_.clock.Elapsed() >= deadline) {
      kept.refusals[pod.key] = "eviction timeout of 10s reached, eviction will be retried";
      continue;
    }
    const auto key = kube::ParseObjectKey(pod.key);
    if (!key) continue;
    kube::EvictOptions options{.grace_period_seconds = {}, .uid = pod.uid, .dry_run = false};
    if (unreachable) options.grace_period_seconds = 1;
    const Result<void> sent = co_await client.Evict(*key, options);
    // Another pod of that name: ours is gone.
    if (sent || sent.error().kind() == ErrorKind::kConflict) continue;
    if (sent.error().kind() == ErrorKind::kThrottled) kept.by_budgets.push_back(*key);
    kept.refusals[pod.key] = WhyNotEvicted(sent.error());
  }
}

Task<NodeDrains::Kept> NodeDrains::Evict(kube::Client& client, std::vector<Pod> pods,
                                         bool unreachable) {
  Kept kept;
  const SteadyTime deadline = surroundings_.clock.Elapsed() + kEvictionTime;
  std::ranges::reverse(pods);
  TaskGroup tasks(surroundings_.executor);
  for (int i = 0; i < kEvictionsAtOnce; ++i) {
    tasks.Spawn([&] { return EvictSome(client, pods, unreachable, deadline, kept); });
  }
  co_await tasks.Join();
  co_return kept;
}

// The machine is woken when their turn has come.
Task<void> NodeDrains::AwaitBudgets(DrainOrder order, std::vector<kube::ObjectKey> pods) {
  for (const kube::ObjectKey& key : pods) {
    const std::shared_ptr<Session> session = FindSession(order);
    if (session == nullptr) co_return;  // forgotten meanwhile
    const DrainPod* pod = session->pods->store().Find(key);
    if (pod == nullptr) continue;
    std::shared_ptr<BudgetWatch>& watch = budgets_[order.remote.get()];
    if (watch == nullptr) {
      watch = std::make_shared<BudgetWatch>(session->parts, [this](const auto& waiter) {
        const auto waiting = sessions_.find(waiter.machine);
        if (waiting != sessions_.end()) wake_(waiting->second->machine);
      });
      // The cluster stays as long as its watch runs: it holds the connection.
      tasks_.Spawn([watch, remote = order.remote] { return BudgetWatch::Run(watch); });
    }
    const std::shared_ptr<BudgetWatch> asked = watch;
    co_await asked->Explain(order.uid, pod->meta, pod->labels, {});
  }
}

// A node that our cache does not have may be there all the same, with its pods: the cache of a
// process that has just begun can be older than the machine that names the node.
Task<Result<DrainLook>> NodeDrains::MakeSureItIsGone(DrainOrder order) {
  CO_TRY(const auto node, co_await order.remote->client().Find(kNodes, {{}, order.node}));
  if (!node) co_return DrainLook{.done = true};
  co_return DrainLook{.done = false,
                      .message = "Waiting for Node " + order.node + " to be seen",
                      .look_again = kOldViewPause};
}

Task<Result<DrainLook>> NodeDrains::LookAtPods(DrainOrder order) {
  const RemoteNode* node = order.remote->FindNode(order.node);
  if (node == nullptr) co_return co_await MakeSureItIsGone(std::move(order));
  const bool unreachable = IsUnreachable(*node);
  kube::Client& client = order.remote->client();
  // First of all: whoever is not there by then will not come.
  if (!node->unschedulable) {
    const kube::ObjectKey key = node->meta.key;
    CO_CHECK(co_await client.Patch(kNodes, key, kube::PatchKind::kMerge,
                                   R"({"spec":{"unschedulable":true}})"));
  }
  if (FindSession(order) == nullptr && co_await HasNothingToDrain(order, unreachable)) {
    co_return DrainLook{.done = true};
  }
  CO_TRY(const Judged judged, co_await Judge(SessionFor(order), order, unreachable));
  core::Waves waves = core::PlanWaves(judged.pods, judged.verdicts);
  if (waves.done()) co_return DrainLook{.done = true};
  if (!order.announced) co_return DrainLook{.unannounced = true};

  std::vector<Pod> to_evict;
  for (const std::string& key : waves.evict) {
    const auto pod = std::ranges::find(judged.pods, key, &Pod::key);
    if (pod != judged.pods.end()) to_evict.push_back(*pod);
  }
  Kept kept = co_await Evict(client, std::move(to_evict), unreachable);
  for (std::string& key : waves.evict) {
    if (!kept.refusals.contains(key)) waves.going.push_back(std::move(key));
  }
  std::ranges::sort(waves.going);
  DrainLook look{.done = false,
                 .message = DrainMessage(waves, kept.refusals, order.started),
                 .look_again = {}};
  // Who is going tells when it is gone, and a budget when it lets somebody go. Other refusals do
  // not tell, nor does a time that passes.
  if (!kept.refusals.empty() || unreachable) look.look_again = kRetry;
  co_await AwaitBudgets(std::move(order), std::move(kept.by_budgets));
  co_return look;
}

Task<Result<core::VolumeScene>> NodeDrains::Observe(DrainOrder order, RemoteNode node) {
  core::VolumeScene scene{.node_unreachable = IsUnreachable(node),
                          .reported = node.attached_volumes};
  if (scene.node_unreachable) co_return scene;
  kube::Client& client = order.remote->client();
  if (surroundings_.settings.considers_attachments) {
    CO_CHECK(co_await ListAll(client, kAttachments, false, [&](JsonObject object) -> Result<void> {
      TRY(const AttachmentRecord attachment, ReadAttachment(object));
      if (!attachment.attached || attachment.node != order.node) return {};
      if (attachment.volume.empty()) {
        return Fail(ErrorKind::kInvalid,
                    "VolumeAttachment " + attachment.meta.key.name + " names no PersistentVolume");
      }
      scene.attachments.push_back(attachment.volume);
      return {};
    }));
  }
  if (scene.reported.empty() && scene.attachments.empty()) co_return scene;
  CO_TRY(const Judged judged, co_await Judge(SessionFor(order), order, false));
  for (std::size_t i = 0; i < judged.pods.size(); ++i) {
    if (judged.verdicts[i].fate != core::PodFate::kSkip) continue;
    for (const std::string& claim : judged.pods[i].volumes) scene.ignored_claims.insert(claim);
  }
  CO_CHECK(co_await ListAll(client, kVolumes, false, [&](JsonObject object) -> Result<void> {
    TRY(core::PersistentVolume volume, ReadVolume(object));
    scene.volumes.push_back(std::move(volume));
    return {};
  }));
  co_return scene;
}

// The node tells what it has; who is attached otherwise, and when no more, is told by this.
void NodeDrains::WakeWhenDetached(const DrainOrder& order) {
  if (!surroundings_.settings.considers_attachments) return;
  const RemoteCluster* remote = order.remote.get();
  std::shared_ptr<Attachments>& watched = attachments_[remote];
  if (watched == nullptr) {
    watched =
        std::make_shared<Attachments>(Attachments{.remote = order.remote,
                                                  .parts = {.executor = surroundings_.executor,
                                                            .clock = surroundings_.clock,
                                                            .random = surroundings_.random,
                                                            .log = surroundings_.log,
                                                            .target = &order.remote->client()},
                                                  .cache = nullptr,
                                                  .waiting = {}});
    watched->cache = std::make_shared<TemporaryCache<AttachmentRecord>>(
        watched->parts, kube::ReflectorOptions{.resource = kAttachments}, ReadAttachment,
        TemporaryCache<AttachmentRecord>::Listeners{
            .changed =
                [this, remote](const AttachmentRecord* before, const AttachmentRecord* after) {
                  TellDetached(remote, (after != nullptr ? after : before)->node);
                },
            // What left before the watch began is seen now.
            .synced =
                [this, remote] {
                  const auto all = attachments_.find(remote);
                  if (all == attachments_.end()) return;
                  for (const auto& [node, machine] : all->second->waiting) wake_(machine);
                }});
    // It stays as long as its watch runs: it holds the connection.
    tasks_.Spawn([watched, cache = watched->cache]() -> Task<void> {
      return TemporaryCache<AttachmentRecord>::Run(cache);
    });
  }
  watched->waiting[order.node] = order.machine;
}

void NodeDrains::TellDetached(const RemoteCluster* remote, const std::string& node) {
  const auto watched = attachments_.find(remote);
  if (watched == attachments_.end()) return;
  const auto machine = watched->second->waiting.find(node);
  if (machine != watched->second->waiting.end()) wake_(machine->second);
}

Task<Result<DrainLook>> NodeDrains::LookAtVolumes(DrainOrder order) {
  const RemoteNode* node = order.remote->FindNode(order.node);
  if (node == nullptr) co_return co_await MakeSureItIsGone(std::move(order));
  CO_TRY(const core::VolumeScene scene, co_await Observe(order, *node));
  const core::VolumesLeft left = core::FindVolumesLeft(scene);
  if (left.none()) co_return DrainLook{.done = true};
  WakeWhenDetached(order);
  co_return DrainLook{
      .done = false, .message = VolumesMessage(left, order.started), .look_again = kRetry};
}

}  // namespace millwright::controllers::contract
