#include "tests/sim/auditor.h"

#include <fmt/format.h>
#include <boost/json.hpp>

#include <algorithm>

#include "base/base64.h"

namespace millwright::sim {

namespace json = boost::json;
using namespace std::chrono_literals;
using providers::CloudEvent;

namespace {

constexpr std::string_view kPods = "/core/pods/";
constexpr std::string_view kNodes = "/core/nodes/";
constexpr std::string_view kSecrets = "/core/secrets/default/";
constexpr std::string_view kTokens = "/core/secrets/kube-system/";
constexpr std::string_view kEvents = "/core/events/";

// Labels, annotations, finalizers and taints that somebody else put there.
std::set<std::string> MarksOf(const json::value& object) {
  std::set<std::string> marks;
  boost::system::error_code none;
  for (const char* map : {"/metadata/labels", "/metadata/annotations"}) {
    const json::value* found = object.find_pointer(map, none);
    if (found == nullptr || !found->is_object()) continue;
    for (const auto& [key, value] : found->as_object()) {
      if (key.starts_with(kForeign)) {
        marks.insert(fmt::format("{} {}={}", map, std::string_view(key), json::serialize(value)));
      }
    }
  }
  for (const char* list : {"/metadata/finalizers", "/spec/taints"}) {
    const json::value* found = object.find_pointer(list, none);
    if (found == nullptr || !found->is_array()) continue;
    for (const json::value& entry : found->as_array()) {
      const std::string text = json::serialize(entry);
      if (text.contains(kForeign)) marks.insert(fmt::format("{} {}", list, text));
    }
  }
  return marks;
}

// Lists that others have entries in, and that a merge patch replaces whatever they are by then. An
// apply says which entries are its own.
bool ReplacesAList(const net::HttpRequest& request) {
  const std::string& body = request.body;
  const auto type = request.headers.Find("Content-Type");
  const bool applies = type && type->starts_with("application/apply-patch");
  const bool has_list = body.contains(R"("finalizers":)") || body.contains(R"("taints":)");
  return has_list && !applies && !body.contains(R"("resourceVersion":)");
}

std::string LastPart(std::string_view path) {
  return std::string(path.substr(path.rfind('/') + 1));
}

}  // namespace

int Auditor::Running() const {
  return static_cast<int>(std::ranges::count_if(machines_, [&](const auto& entry) {
    return entry.second.running && !entry.second.deleting;
  }));
}

bool Auditor::IsTrueOfTheCloud() const {
  if (cloud_.live() != machines_.size()) return false;
  std::set<std::string> living;
  for (const auto& [uid, instances] : live_) living.insert(instances.begin(), instances.end());
  return std::ranges::all_of(machines_, [&](const auto& entry) {
    const MachineFacts& machine = entry.second;
    const auto node = ready_nodes_.find(NodeOf(machine));
    return living.contains(machine.provider_id) && !halted_.contains(machine.provider_id) &&
           node != ready_nodes_.end() && node->second;
  });
}

void Auditor::Complain(std::string what) {
  if (std::ranges::find(violations_, what) == violations_.end()) {
    violations_.push_back(std::move(what));
  }
}

void Auditor::Look(apiserver::Store& store, SteadyTime now) {
  now_ = now;
  if (store.revision() != seen_) {
    Follow(store);
    seen_ = store.revision();
    CheckRollouts();
  }
  if (cloud_.history().size() != cloud_seen_) CheckCloud();
}

// Every single change, as a watch shows it.
void Auditor::Follow(apiserver::Store& store) {
  if (!watcher_) return Reread(store);
  for (;;) {
    const auto change = watcher_->TryNext();
    if (!change) return Reread(store);  // nobody looked for so long that the past is gone
    if (!*change) return;
    Apply((*change)->record);
  }
}

void Auditor::Reread(apiserver::Store& store) {
  const auto page = store.List({.scope = ""}).value();
  std::set<std::string> gone;
  for (const auto& [key, machine] : machines_) gone.insert(key);
  for (const auto& [key, set] : sets_) gone.insert(key);
  for (const auto& [key, deployment] : deployments_) gone.insert(key);
  for (const auto& [key, instance] : instances_) gone.insert(key);
  for (const auto& [key, pod] : pods_) gone.insert(key);
  for (const auto& [key, marks] : marks_) gone.insert(key);
  for (const apiserver::RecordPtr& record : page.records) gone.erase(record->key);
  for (const std::string& key : gone) Forget(key);
  for (const apiserver::RecordPtr& record : page.records) Apply(record);
  watcher_ = store.Watch("", page.revision).value();
}

bool Auditor::IsPart(std::string_view key) const {
  return std::ranges::any_of(words_.parts,
                             [&](std::string_view scope) { return key.starts_with(scope); });
}

// Whose VM it is that the cloud made for that UID: the machine's, or that of the machine to which
// its object belongs, or belonged.
std::string Auditor::MachineOf(const std::string& uid) const {
  if (words_.parts.empty()) return uid;
  const auto found = machine_of_.find(uid);
  return found != machine_of_.end() ? found->second : std::string();
}

void Auditor::Apply(const apiserver::RecordPtr& record) {
  const std::string& key = record->key;
  const std::string_view text = key;
  const bool ours = text.starts_with(fmt::format("/{}/", words_.group)) || IsPart(text);
  const bool others = text.starts_with(kPods) || text.starts_with(kNodes) ||
                      text.starts_with(kSecrets) || text.starts_with(kEvents);
  if (text.starts_with(kTokens) && !record->IsTombstone()) return NoteToken(record->value);
  if (!ours && !others) return;
  if (record->IsTombstone()) return Forget(key);
  if (!text.starts_with(kSecrets) && TellsASecret(record->value)) Complain("a secret in " + key);
  if (text.starts_with(kEvents)) return;
  const json::value object = json::parse(record->value);
  CheckMarks(key, record->value, object);
  Note(key, object);
}

void Auditor::NoteToken(const std::string& text) {
  const auto token = DecodeBase64(TextAt(json::parse(text), "/data/token-secret"));
  if (token && !token->empty()) tokens_.insert(*token);
}

bool Auditor::TellsASecret(const std::string& text) const {
  static const std::string encoded = EncodeBase64(kSecret);
  return text.contains(kSecret) || text.contains(encoded) ||
         std::ranges::any_of(tokens_, [&](const auto& token) { return text.contains(token); });
}

void Auditor::Note(const std::string& key, const json::value& object) {
  const std::string_view text = key;
  if (text.starts_with(words_.Scope(words_.machines))) {
    const MachineFacts machine = words_.read_machine(object);
    if (machine.deleting) going_since_.try_emplace(machine.uid, now_);
    if (!machine.provider_id.empty()) recorded_.insert(machine.provider_id);
    const auto before = machines_.find(key);
    CheckHealth(machine, before != machines_.end() && before->second.running);
    machines_.insert_or_assign(key, machine);
  } else if (text.starts_with(words_.Scope(words_.sets))) {
    sets_.insert_or_assign(key, words_.read_set(object));
  } else if (text.starts_with(words_.Scope(words_.deployments))) {
    deployments_.insert_or_assign(key, words_.read_deployment(object));
  } else if (!words_.parts.empty() && text.starts_with(words_.parts.front())) {
    const InstanceFacts instance = words_.read_instance(object);
    if (!instance.machine_uid.empty()) machine_of_[instance.uid] = instance.machine_uid;
    instances_.insert_or_assign(key, instance);
  } else if (text.starts_with(kPods)) {
    pods_.insert_or_assign(key, PodFacts{.node = TextAt(object, "/spec/nodeName"),
                                         .ready = IsTrue(object, "Ready"),
                                         .deleting = Has(object, "/metadata/deletionTimestamp")});
  } else if (text.starts_with(kNodes)) {
    NoteNode(TextAt(object, "/metadata/name"), IsTrue(object, "Ready"));
  }
}

void Auditor::NoteNode(const std::string& name, bool ready) {
  ready_nodes_[name] = ready;
  if (ready) return;
  for (const auto& [key, machine] : machines_) {
    if (machine.node == name) well_.erase(machine.uid);
  }
}

// Whoever calls a machine unwell has seen its node unwell after the machine was found well. An old
// view of the node is no excuse.
void Auditor::CheckHealth(const MachineFacts& machine, bool ran_before) {
  const auto node = ready_nodes_.find(machine.node);
  const bool ready = node != ready_nodes_.end() && node->second;
  if (machine.unwell && !machine.deleting && well_.contains(machine.uid)) {
    Complain(fmt::format("machine {} was called unwell, and its node was well", machine.name));
  }
  ++checks_;
  if (!machine.running) {
    well_.erase(machine.uid);
  } else if (!ran_before && ready) {
    well_.insert(machine.uid);
  }
}

void Auditor::Forget(const std::string& key) {
  machines_.erase(key);
  sets_.erase(key);
  deployments_.erase(key);
  instances_.erase(key);
  pods_.erase(key);
  marks_.erase(key);
  if (!std::string_view(key).starts_with(kNodes)) return;
  NoteNode(LastPart(key), false);
  ready_nodes_.erase(LastPart(key));
}

// Deployments hand their annotations down to their sets: there they are ours.
bool Auditor::IsHandedDown(const std::string& mark) const {
  return std::ranges::any_of(deployments_, [&](const auto& deployment) {
    const auto marks = marks_.find(deployment.first);
    return marks != marks_.end() && marks->second.contains(mark);
  });
}

void Auditor::CheckMarks(const std::string& key, const std::string& text,
                         const json::value& object) {
  const auto known = marks_.find(key);
  if (known == marks_.end() && !text.contains(kForeign)) return;
  ++checks_;
  std::set<std::string> now = MarksOf(object);
  const bool is_set = std::string_view(key).starts_with(words_.Scope(words_.sets));
  if (known != marks_.end()) {
    for (const std::string& mark : known->second) {
      if (!now.contains(mark) && !(is_set && IsHandedDown(mark)))
        Complain(fmt::format("somebody else's {} of {} is lost", mark, key));
    }
  }
  marks_.insert_or_assign(key, std::move(now));
}

bool Auditor::MayForce(const std::string& node) const {
  if (!trust_time_) return true;
  const auto ready = ready_nodes_.find(node);
  if (ready == ready_nodes_.end() || !ready->second) return true;
  for (const auto& [key, machine] : machines_) {
    if (NodeOf(machine) != node) continue;
    if (halted_.contains(machine.provider_id)) return true;
    const auto since = going_since_.find(machine.uid);
    // Marks of deletion have whole seconds, rounded down.
    if (since != going_since_.end()) return now_ + 1s > since->second + drain_limit_;
  }
  return false;
}

void Auditor::OnRequest(const net::HttpRequest& request, SteadyTime now) {
  now_ = now;
  const std::string& method = request.method;
  const std::string path = request.target.substr(0, request.target.find('?'));
  ++checks_;
  if (auto often = requests_.Add(method, path, now)) Complain(*std::move(often));
  if (method == "PATCH" && ReplacesAList(request)) {
    Complain(fmt::format("a whole list was written over whatever it is now: PATCH {}", path));
  }
  if (method != "DELETE" || !path.contains("/pods/")) return;
  for (const auto& [key, pod] : pods_) {
    if (!key.ends_with("/" + LastPart(path)) || pod.deleting || !pod.ready) continue;
    if (!MayForce(pod.node)) Complain("a pod was deleted, and not evicted: " + key);
  }
}

void Auditor::OnCall(std::string_view call, std::string_view machine, SteadyTime now) {
  now_ = now;
  ++checks_;
  const std::string what = fmt::format("{} of the cloud", call);
  if (auto often = requests_.Add(what, machine, now)) Complain(*std::move(often));
}

// One live VM for a machine, and none removed whose machine is to stay.
void Auditor::CheckCloud() {
  using enum providers::EventKind;
  const std::vector<CloudEvent>& history = cloud_.history();
  for (; cloud_seen_ < history.size(); ++cloud_seen_) {
    const CloudEvent& event = history[cloud_seen_];
    ++checks_;
    const std::string& uid = event.machine_uid.str();
    if (event.kind == kCreated) {
      CheckBegin(event);
      live_[uid].insert(event.instance);
      if (live_[uid].size() > 1 && !event.by_script) {
        Complain(fmt::format("two VMs live for machine {} ({})", event.machine, uid));
      }
    }
    if (event.kind == kHalted) halted_.insert(event.instance);
    if (event.kind == kResumed) halted_.erase(event.instance);
    if (event.kind == kStopping || event.kind == kRemoved) CheckEnd(event);
  }
}

// Its node, also if nobody has recorded it: this cloud calls nodes as their machines.
std::string Auditor::NodeOf(const MachineFacts& machine) {
  return machine.node.empty() ? machine.name : machine.node;
}

// One VM for a machine, whatever objects it had them made for.
void Auditor::CheckBegin(const CloudEvent& event) {
  const std::string machine = MachineOf(event.machine_uid.str());
  if (words_.parts.empty() || machine.empty() || event.by_script) return;
  std::size_t live = 1;
  for (const auto& [uid, instances] : live_) {
    if (uid != event.machine_uid.str() && MachineOf(uid) == machine) live += instances.size();
  }
  if (live > 1) Complain(fmt::format("{} VMs live for machine {}", live, machine));
}

void Auditor::CheckEnd(const CloudEvent& event) {
  const std::string& uid = event.machine_uid.str();
  const bool was_live = live_[uid].erase(event.instance) > 0;
  if (event.by_script) destroyed_.insert(event.instance);
  if (event.by_script || !was_live) return;
  for (const auto& [key, instance] : instances_) {
    if (instance.uid == uid && !instance.deleting) {
      Complain(fmt::format("the VM of {} went although it is to stay", instance.name));
    }
  }
  for (const auto& [key, machine] : machines_) {
    if (machine.uid != MachineOf(uid)) continue;
    // Of several that no machine has recorded yet, any may be the surplus.
    const bool its_own =
        machine.provider_id.empty() ? live_[uid].empty() : machine.provider_id == event.instance;
    if (!its_own) continue;
    if (!machine.deleting) {
      Complain(fmt::format("the VM of machine {} went although it is to stay", event.machine));
    }
    const std::string node = NodeOf(machine);
    const bool with_pods = std::ranges::any_of(pods_, [&](const auto& pod) {
      return pod.second.node == node && pod.second.ready && !pod.second.deleting;
    });
    if (with_pods && !MayForce(node)) {
      Complain(fmt::format("the VM of machine {} went with pods on it", event.machine));
    }
  }
}

// Never more machines than wished and surge, never fewer available than wished
// and allowed.
void Auditor::CheckRollouts() {
  if (!check_least_ && !check_most_) return;
  for (const auto& [key, deployment] : deployments_) {
    if (deployment.deleting || !deployment.rolling) continue;
    ++checks_;
    int total = 0;
    int available = 0;
    for (const auto& [name, machine] : machines_) {
      const bool ours = std::ranges::any_of(sets_, [&](const auto& set) {
        return set.second.uid == machine.owner_uid && set.second.owner_uid == deployment.uid;
      });
      if (!ours) continue;
      total += machine.deleting ? 0 : 1;
      available += machine.running && !machine.deleting ? 1 : 0;
    }
    CheckAvailable(deployment, total, available);
  }
}

void Auditor::CheckAvailable(const DeploymentFacts& deployment, int total, int available) {
  if (check_most_ && total > deployment.replicas + deployment.surge) {
    Complain(fmt::format("{} has {} machines, wished {} and {} more", deployment.name, total,
                         deployment.replicas, deployment.surge));
  }
  // A wish for more is not there at once.
  int& full = was_full_[deployment.uid];
  if (available >= deployment.replicas) full = deployment.replicas;
  const int least =
      deployment.replicas - std::max(deployment.unavailable, deployment.surge == 0 ? 1 : 0);
  if (check_least_ && full >= deployment.replicas && available < least) {
    Complain(fmt::format("{} has {} available machines, wished {} and {} fewer", deployment.name,
                         available, deployment.replicas, deployment.unavailable));
  }
}

// The node of a VM that was destroyed from outside before anybody heard that it was there: where
// nobody looks for VMs, only the cluster's cloud controller, which is not ours, can know of it.
bool Auditor::IsAnybodysNode(const std::string& text) const {
  if (words_.sweeps_orphans) return true;
  const std::string id = TextAt(json::parse(text), "/spec/providerID");
  return !destroyed_.contains(id) || recorded_.contains(id);
}

void Auditor::ExpectNothingLeft(apiserver::Store& store, SteadyTime now) {
  Look(store, now);
  for (const auto& [key, machine] : machines_) Complain("left behind: machine " + machine.name);
  for (const auto& [key, set] : sets_) Complain("left behind: set " + set.name);
  if (cloud_.live() != 0) Complain(fmt::format("left behind: {} VMs", cloud_.live()));
  const std::size_t parts = cloud_.Leaked({}).size() - cloud_.live();
  if (parts != 0) Complain(fmt::format("left behind: cards or disks of {} VMs", parts));
  std::vector<std::string> scopes = {std::string(kNodes), std::string(kTokens)};
  scopes.insert(scopes.end(), words_.parts.begin(), words_.parts.end());
  for (const std::string& scope : scopes) {
    const auto page = store.List({.scope = scope});
    for (const apiserver::RecordPtr& record : page->records) {
      if (scope == kNodes && !IsAnybodysNode(record->value)) continue;
      Complain("left behind: " + record->key);
    }
  }
  // What somebody made for an object that is gone.
  const auto secrets = store.List({.scope = std::string(kSecrets)});
  for (const apiserver::RecordPtr& record : secrets->records) {
    if (record->value.contains("ownerReferences")) Complain("left behind: " + record->key);
  }
}

}  // namespace millwright::sim
