#include "apiserver/housekeeping/node_lifecycle.h"

#include <algorithm>

#include <boost/json.hpp>

#include "apiserver/housekeeping/node_pods.h"
#include "kube/api/json_text.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

constexpr const char* kController = "millwright-node-lifecycle";
constexpr std::string_view kNodes = "/core/nodes/";
constexpr std::string_view kPods = "/core/pods/";
constexpr std::string_view kLeases = "/coordination.k8s.io/leases/kube-node-lease/";
constexpr Duration kRetry = std::chrono::seconds(1);

std::string NodeKey(std::string_view name) { return std::string(kNodes).append(name); }

std::string NodeOf(const json::value& pod) {
  return std::string(kube::GetString(pod, "spec.nodeName"));
}

}  // namespace

Task<void> NodeLifecycle::Run() {
  while (true) {
    const auto revision = LookAtAll();
    if (!revision) co_return;
    auto watcher = services_.store.Watch("", *revision);
    while (watcher) {
      co_await Work();
      const SteadyTime next = std::min(silences_.Next(), departures_.Next());
      if (co_await watcher->WaitUntil(services_.clock, next) == Wake::kCancelled) co_return;
      if (!TakeNews(*watcher)) break;
    }
    if (co_await IsCancelled()) co_return;
  }
}

Result<Revision> NodeLifecycle::LookAtAll() {
  TRY(const Page page, services_.store.List({.scope = std::string(kNodes)}));
  std::vector<std::string> gone;
  for (const auto& [name, known] : nodes_) {
    if (!services_.store.Get(NodeKey(name))) gone.push_back(name);
  }
  for (const std::string& name : gone) Forget(name);
  for (const RecordPtr& record : page.records) NoteNode(*record);
  // Which pods came and went meanwhile is not known.
  for (const auto& [name, known] : nodes_) {
    if (!known.taints.empty()) tainted_.insert(name);
  }
  return page.revision;
}

bool NodeLifecycle::TakeNews(Watcher& watcher) {
  while (true) {
    const auto change = watcher.TryNext();
    if (!change) return false;
    if (!*change) return true;
    Note(**change);
  }
}

void NodeLifecycle::Note(const Change& change) {
  const std::string& key = change.key();
  const bool gone = change.kind() == ChangeKind::kDelete;
  if (key.starts_with(kLeases)) {
    if (!gone) NoteLease(change);
  } else if (key.starts_with(kNodes)) {
    if (gone) {
      Forget(PartsOf(key).name);
    } else {
      NoteNode(*change.record);
    }
  } else if (key.starts_with(kPods)) {
    if (gone) {
      departures_.Erase(key);
    } else if (tainted_nodes_ > 0) {
      NotePod(key, json::parse(change.record->value));
    }
  }
}

void NodeLifecycle::NoteNode(const Record& record) {
  const json::value node = json::parse(record.value);
  const std::string name = record.key.substr(kNodes.size());
  const auto [it, fresh] = nodes_.try_emplace(name);
  Known& known = it->second;
  const std::string_view heartbeat = HeartbeatOf(node);
  const std::string_view ready = ReadyStatus(node);
  if (fresh || heartbeat != known.heartbeat) known.last_sign = services_.clock.Elapsed();
  const bool turned = known.ready == "True" && ready != "True";
  if (turned || (fresh && ready == "Unknown")) turned_.insert(name);
  known.heartbeat = heartbeat;
  known.ready = ready;
  std::vector<Taint> taints = NoExecuteTaints(node);
  if (taints != known.taints) {
    tainted_nodes_ += (taints.empty() ? 0 : 1) - (known.taints.empty() ? 0 : 1);
    known.taints = std::move(taints);
    tainted_.insert(name);
  }
  if (ready == "Unknown") {
    silences_.Erase(name);  // there is nothing more to say of it
  } else if (!silences_.Contains(name)) {
    silences_.Set(name, DeadlineOf(known));
  }
  dirty_.insert(name);
  counted_ = false;
}

// The deadline stays where it is: when it comes, we see that the node is well. That is far less
// often than leases are renewed.
void NodeLifecycle::NoteLease(const Change& change) {
  const auto node = nodes_.find(PartsOf(change.key()).name);
  if (node == nodes_.end()) return;
  const auto renewed = [](const Record& lease) {
    return std::string(kube::GetString(json::parse(lease.value), "spec.renewTime"));
  };
  if (change.previous && renewed(*change.previous) == renewed(*change.record)) return;
  node->second.last_sign = services_.clock.Elapsed();
}

void NodeLifecycle::NotePod(const std::string& key, const json::value& pod) {
  const auto node = nodes_.find(NodeOf(pod));
  const bool stays = node == nodes_.end() || node->second.taints.empty() ||
                     kube::Find(pod, "metadata.deletionTimestamp") != nullptr;
  const WallTime now = services_.clock.Now();
  const auto leave = stays ? std::nullopt : LeaveTime(pod, node->second.taints, now);
  if (leave) {
    departures_.Set(key, services_.clock.Elapsed() + std::max(*leave - now, Duration::zero()));
  } else {
    departures_.Erase(key);
  }
}

void NodeLifecycle::Forget(std::string_view node) {
  const auto found = nodes_.find(node);
  if (found == nodes_.end()) return;
  silences_.Erase(node);
  if (!found->second.taints.empty()) {
    tainted_.insert(found->first);
    --tainted_nodes_;
  }
  nodes_.erase(found);
  counted_ = false;
}

SteadyTime NodeLifecycle::DeadlineOf(const Known& node) const {
  return node.last_sign + (node.ready.empty() ? limits_.startup_grace : limits_.grace);
}

Task<void> NodeLifecycle::Work() {
  const SteadyTime now = services_.clock.Elapsed();
  while (const auto name = silences_.TakeDue(now)) {
    const auto node = nodes_.find(*name);
    if (node == nodes_.end()) continue;
    dirty_.insert(*name);  // in case its taints could not be written the last time
    const SteadyTime deadline = DeadlineOf(node->second);
    if (deadline > now) {
      silences_.Set(*name, deadline);
    } else {
      co_await MarkSilent(*name);
    }
  }
  if (!counted_) CountReady();
  // If no node is well, the fault is more likely on our side: nobody is driven out.
  const MayEvict evict = someone_ready_ ? MayEvict::kYes : MayEvict::kNo;
  while (!dirty_.empty()) {
    co_await TaintNode(dirty_.extract(dirty_.begin()).value(), evict);
  }
  if (!turned_.empty() || !tainted_.empty()) co_await TendPods();
  while (const auto key = departures_.TakeDue(services_.clock.Elapsed())) {
    co_await DriveOut(*key);
  }
}

// The first that is ready again, or the last that no longer is, changes what all may do.
void NodeLifecycle::CountReady() {
  counted_ = true;
  const bool ready =
      std::ranges::any_of(nodes_, [](const auto& node) { return node.second.ready == "True"; });
  if (std::exchange(someone_ready_, ready) == ready) return;
  for (const auto& [name, known] : nodes_) dirty_.insert(name);
}

Task<void> NodeLifecycle::MarkSilent(std::string node) {
  const WallTime now = services_.clock.Now();
  const auto changed =
      co_await Edit(NodeKey(node), Part::kStatus, [now](json::value& object) -> bool {
        MarkUnknown(object, now);
        return true;
      });
  if (changed) {
    log_.Info("a node has fallen silent", {{"node", node}});
  } else {
    silences_.Set(node, services_.clock.Elapsed() + kRetry);
  }
}

Task<void> NodeLifecycle::TaintNode(std::string node, MayEvict evict) {
  const WallTime now = services_.clock.Now();
  const auto changed = co_await Edit(
      NodeKey(node), Part::kMain,
      [evict, now](json::value& object) -> bool { return FitTaints(object, evict, now); });
  // The next deadline comes back to it.
  if (!changed && nodes_.contains(node)) {
    silences_.Set(node, services_.clock.Elapsed() + kRetry);
  }
}

// One look at all pods, for however many nodes: nodes fall silent together.
Task<void> NodeLifecycle::TendPods() {
  const auto turned = std::exchange(turned_, {});
  const auto tainted = std::exchange(tainted_, {});
  const auto page = services_.store.List({.scope = std::string(kPods)});
  if (!page) co_return;
  for (const RecordPtr& record : page->records) {
    const json::value pod = json::parse(record->value);
    const std::string node = NodeOf(pod);
    if (node.empty()) continue;
    if (tainted.contains(node)) NotePod(record->key, pod);
    if (!turned.contains(node)) continue;
    const WallTime now = services_.clock.Now();
    (void)co_await Edit(record->key, Part::kStatus, [now](json::value& object) -> bool {
      return MarkPodNotReady(object, now);
    });
  }
}

Task<void> NodeLifecycle::DriveOut(std::string key) {
  const RecordPtr record = services_.store.Get(key);
  if (!record) co_return;
  const std::string uid(kube::GetString(json::parse(record->value), "metadata.uid"));
  const WallTime now = services_.clock.Now();
  (void)co_await Edit(key, Part::kStatus, [now](json::value& object) -> bool {
    MarkDrivenOut(object, now);
    return true;
  });
  const KeyParts parts = PartsOf(key);
  const ResourcePtr pods = ResourceOfKey(services_.registry, parts);
  const Call call = CallOf(pods, parts.namespace_, parts.name, kController);
  RemovalOptions options;
  options.uid = uid;
  const auto removed = co_await RemoveWith(services_, call, options);
  if (removed || !services_.store.Get(key)) co_return;
  if (removed.error().kind() == ErrorKind::kCancelled) co_return;
  log_.Warning("a pod could not be driven out",
               {{"object", key}, {"error", removed.error().message()}});
  departures_.Set(key, services_.clock.Elapsed() + kRetry);
}

// Writes what the edit makes of the object, unless it says that all is well. An object that is gone
// needs nothing.
Task<Result<void>> NodeLifecycle::Edit(std::string key, Part part,
                                       std::function<bool(json::value&)> edit) {
  const RecordPtr record = services_.store.Get(key);
  if (!record) co_return Ok();
  json::value seen = json::parse(record->value);
  if (!edit(seen)) co_return Ok();
  const KeyParts parts = PartsOf(key);
  Call call =
      CallOf(ResourceOfKey(services_.registry, parts), parts.namespace_, parts.name, kController);
  if (part == Part::kStatus) call.place.subresource = "status";
  const auto changed = co_await ChangeObject(
      services_, call, part, {}, [&](const json::value& old, std::vector<std::string>&) {
        NewState state{.object = old};
        edit(state.object);
        return Result<NewState>(std::move(state));
      });
  if (changed || !services_.store.Get(key)) co_return Ok();
  if (changed.error().kind() != ErrorKind::kCancelled) {
    log_.Warning("a node or one of its pods could not be marked",
                 {{"object", key}, {"error", changed.error().message()}});
  }
  co_return Failure(changed.error());
}

}  // namespace millwright::apiserver
