#include "tests/sim/stage.h"

#include <fmt/format.h>
#include <boost/json.hpp>

#include <algorithm>
#include <array>

#include "tests/sim/goals.h"

namespace millwright::sim {

namespace json = boost::json;
using namespace std::chrono_literals;
using core::CloudCode;
using providers::CallKind;
using Options = providers::EngineOptions;

namespace {

constexpr const char* kMerge = "application/merge-patch+json";
constexpr const char* kBudget = "/apis/policy/v1/namespaces/default/poddisruptionbudgets/load";
// Those of the controllers; the last kind is a machine's own.
constexpr std::array kCalls = {CallKind::kCreate, CallKind::kGet, CallKind::kList,
                               CallKind::kRemove};
constexpr std::array kCreates = {CallKind::kCreate};
constexpr std::array kChanges = {CallKind::kCreate, CallKind::kRemove};

providers::FaultRule Fails(CloudCode code) { return {.code = code}; }

// All of it is done, and nobody hears of it.
providers::FaultRule IsMute() {
  return {.code = CloudCode::kDeadlineExceeded, .point = providers::FaultPoint::kAfter};
}

providers::FaultRule StopsHalfway() {
  return {.code = CloudCode::kInternal, .point = providers::FaultPoint::kHalfway};
}

CloudCode Forbidden(std::uint64_t pick) {
  constexpr std::array kCodes = {CloudCode::kPermissionDenied, CloudCode::kUnauthenticated,
                                 CloudCode::kInternal};
  return kCodes.at(pick % kCodes.size());
}

constexpr const char* kBudgetKey = "/policy/poddisruptionbudgets/default/load";

}  // namespace

void Stage::After(Duration delay, std::function<void()> what) {
  agenda_.emplace(cluster_.world().Elapsed() + delay, std::move(what));
}

void Stage::Play(const std::vector<Happening>& happenings) {
  for (const Happening& happening : happenings) {
    agenda_.emplace(begun_ + happening.at, [this, &happening] { Begin(happening); });
  }
  while (!agenda_.empty()) {
    const SteadyTime at = agenda_.begin()->first;
    const SteadyTime now = cluster_.world().Elapsed();
    if (at > now) cluster_.Pass(at - now);
    auto next = agenda_.extract(agenda_.begin());
    next.mapped()();
  }
}

using S = Stage;
using H = Happening;

const Stage::Row Stage::kActs[] = {
    // Users.
    {What::kScaled, [](S& s, const H& h) { s.Scale(h.amount); }},
    {What::kRolled, [](S& s, const H& h) { s.Roll(h.amount); }},
    {What::kMachineDeleted, [](S& s, const H& h) { s.DeleteMachine(h); }},
    {What::kMarked, [](S& s, const H& h) { s.Mark(h); }},
    {What::kHeldBack, [](S& s, const H& h) { s.HoldBack(h.lasts); }},
    {What::kNodeDeleted, [](S& s, const H& h) { s.DeleteNode(h); }},
    {What::kBudgetShut, [](S& s, const H& h) { s.ShutBudget(h.lasts); }},
    {What::kRemade, [](S& s, const H&) { s.Remake(); }},
    // The cloud.
    {What::kVmHalted, [](S& s, const H& h) { (void)s.cloud().Halt(s.PickVm(h)); }},
    {What::kVmDestroyed, [](S& s, const H& h) { (void)s.cloud().Destroy(s.PickVm(h)); }},
    {What::kVmDoubled, [](S& s, const H& h) { s.DoubleVm(h); }},
    {What::kAllHalted, [](S& s, const H& h) { s.Halt(s.LivingVms(), h.lasts); }},
    {What::kVmFlaps, [](S& s, const H& h) { s.Halt({s.PickVm(h)}, h.lasts); }},
    {What::kQuota, [](S& s, const H& h) { s.LimitVms(h); }},
    {What::kListLags, [](S& s, const H& h) { s.Lag(&Options::list_lag, h.lasts); }},
    {What::kGetLags, [](S& s, const H& h) { s.Lag(&Options::get_lag, h.lasts); }},
    {What::kCloudSlow, [](S& s, const H& h) { s.SlowDown(h.lasts); }},
    {What::kCreatesDouble, [](S& s, const H& h) { s.DoubleCreates(h.lasts); }},
    {What::kCloudAway,
     [](S& s, const H& h) { s.Script(kCalls, Fails(CloudCode::kUnavailable), h.lasts); }},
    {What::kCloudForbids,
     [](S& s, const H& h) { s.Script(kCalls, Fails(Forbidden(h.pick)), h.lasts); }},
    {What::kCloudMute, [](S& s, const H& h) { s.Script(kCalls, IsMute(), h.lasts); }},
    {What::kHalfDone, [](S& s, const H& h) { s.Script(kChanges, StopsHalfway(), h.lasts); }},
    {What::kUnheard, [](S& s, const H& h) { s.DeleteUnheard(h); }},
    // The API server and the network.
    {What::kServerAway, [](S& s, const H& h) { s.TakeServerAway(h.lasts, false); }},
    {What::kCompaction, [](S& s, const H& h) { s.TakeServerAway(h.lasts, true); }},
    {What::kHistoryGone, [](S& s, const H&) { s.cluster_.ForgetHistory(); }},
    {What::kWatchesHeld, [](S& s, const H& h) { s.Toggle(&Cluster::HoldWatches, h.lasts); }},
    {What::kWatchesMerged, [](S& s, const H& h) { s.Toggle(&Cluster::MergeWatches, h.lasts); }},
    {What::kWatchesRepeated, [](S& s, const H& h) { s.Toggle(&Cluster::RepeatWatches, h.lasts); }},
    {What::kConflicts, [](S& s, const H& h) { s.Conflict(h.lasts); }},
    // The controllers' process.
    {What::kRival, [](S& s, const H& h) { s.AddRival(h.lasts); }},
    {What::kPaused, [](S& s, const H& h) { s.Toggle(&Cluster::PauseControllers, h.lasts); }},
    {What::kTakenOver,
     [](S& s, const H& h) {
       s.Toggle(&Cluster::PauseControllers, h.lasts);
       s.AddRival(h.lasts + 30s);
     }},
    {What::kClockJump, [](S& s, const H& h) { s.Skew(std::chrono::hours(h.amount), h.lasts); }},
    {What::kDaysOff, [](S& s, const H& h) { s.Skew(std::chrono::hours(24 * h.amount), h.lasts); }},
    {What::kStaleRestart, [](S& s, const H& h) { s.RestartStale(h); }},
    {What::kAncientRestart, [](S& s, const H& h) { s.RestartStale(h); }},
};

void Stage::Begin(const Happening& happening) {
  const Row* row = std::ranges::find(kActs, happening.what, &Row::what);
  row->act(*this, happening);
}

void Stage::Toggle(void (Cluster::*what)(bool), Duration lasts) {
  (cluster_.*what)(true);
  After(lasts, [this, what] { (cluster_.*what)(false); });
}

void Stage::TakeServerAway(Duration lasts, bool compacted) {
  cluster_.TakeServerAway();
  After(lasts, [this, compacted] { cluster_.BringServerBack(compacted); });
}

void Stage::AddRival(Duration lasts) {
  cluster_.StartRival();
  After(lasts, [this] { cluster_.EndRival(); });
}

void Stage::RestartStale(const Happening& happening) {
  const apiserver::Revision now = cluster_.store().revision();
  cluster_.RestartWithStaleView(std::max<apiserver::Revision>(now - happening.amount, 1));
  After(happening.lasts, [this] { cluster_.EndStaleView(); });
}

// VMs that nobody asked for are only where somebody looks for them.
void Stage::DoubleVm(const Happening& happening) {
  if (cluster_.words().sweeps_orphans) (void)cloud().Duplicate(PickVm(happening));
}

void Stage::DoubleCreates(Duration lasts) {
  if (cluster_.words().sweeps_orphans) Script(kCreates, {.duplicate = true}, lasts);
}

void Stage::LimitVms(const Happening& happening) {
  cloud().options().quota = static_cast<std::size_t>(happening.amount);
  After(happening.lasts, [this] { cloud().options().quota.reset(); });
}

void Stage::Lag(Duration Options::* what, Duration lasts) {
  cloud().options().*what = lasts;
  After(lasts, [this, what] { cloud().options().*what = {}; });
}

void Stage::Conflict(Duration lasts) {
  int& thousandths = cluster_.faults().chances.conflict;
  thousandths += 500;
  After(lasts, [&thousandths] { thousandths -= 500; });
}

void Stage::Skew(Duration by, Duration lasts) {
  cluster_.auditor().TrustTime(false);
  cluster_.SkewControllers(by);
  After(lasts, [this] { cluster_.SkewControllers({}); });
}

// Its instance is made, joins and takes pods, and the controllers do not know it; when it is to go
// they cannot ask.
void Stage::DeleteUnheard(const Happening& happening) {
  const Duration lasts = happening.lasts + 90s;
  Script(kCalls, IsMute(), lasts);
  After(lasts - 20s, [this, happening] { DeleteMachine(happening); });
}

// The rule holds for calls of those kinds.
void Stage::Script(std::span<const CallKind> kinds, const providers::FaultRule& rule,
                   Duration lasts) {
  providers::FaultScript& script = cloud().faults();
  for (const CallKind kind : kinds) {
    providers::FaultRule one = rule;
    one.kind = kind;
    const auto id = script.Add(one);
    After(lasts, [&script, id] { script.Remove(id); });
  }
}

void Stage::SlowDown(Duration lasts) {
  Options& options = cloud().options();
  for (providers::CallTimes& times : options.times) times.effect += 60s;
  After(lasts, [&options] {
    for (providers::CallTimes& times : options.times) times.effect -= 60s;
  });
}

// Who finds the server away gives up.
void Stage::Patch(const std::string& path, const std::string& patch) {
  if (!cluster_.server_is_away()) cluster_.Ask("PATCH", path, patch, kMerge);
}

void Stage::Scale(int replicas) {
  if (cluster_.server_is_away()) return;
  replicas_ = replicas;
  Patch(cluster_.words().DeploymentPath(), cluster_.words().scaled(replicas));
}

void Stage::Roll(int version) {
  Patch(cluster_.words().DeploymentPath(), cluster_.words().rolled(version));
}

void Stage::DeleteMachine(const Happening& happening) {
  const auto& machines = cluster_.auditor().machines();
  if (machines.empty() || cluster_.server_is_away()) return;
  const auto place = static_cast<std::ptrdiff_t>(happening.pick % machines.size());
  const auto victim = std::next(machines.begin(), place);
  const Words& words = cluster_.words();
  cluster_.Ask("DELETE", words.Path(words.machines, victim->second.name));
}

// Somebody else's label, annotation, finalizer or taint: nobody takes it away
// again.
void Stage::Mark(const Happening& happening) {
  if (cluster_.server_is_away()) return;
  const Words& words = cluster_.words();
  std::vector<std::string> paths = {words.DeploymentPath()};
  for (const auto& [key, set] : cluster_.auditor().sets()) {
    paths.push_back(words.Path(words.sets, set.name));
  }
  for (const auto& [key, machine] : cluster_.auditor().machines()) {
    paths.push_back(words.Path(words.machines, machine.name));
    if (!machine.node.empty()) paths.push_back("/api/v1/nodes/" + machine.node);
  }
  const std::string& path = paths[happening.pick % paths.size()];
  Patch(path, R"({"metadata":{"labels":{"example.com/team":"a"},)"
              R"("annotations":{"example.com/note":"b"}}})");
  if (path.starts_with("/api/v1/nodes/")) TaintNode(path);
  Patch(fmt::format("/api/v1/namespaces/default/secrets/{}", kSecretName),
        R"({"metadata":{"annotations":{"example.com/note":"b"}}})");
}

void Stage::TaintNode(const std::string& path) {
  const json::value node = cluster_.Get(path);
  boost::system::error_code none;
  const json::value* taints = node.find_pointer("/spec/taints", none);
  json::array wished = taints != nullptr && taints->is_array() ? taints->as_array() : json::array();
  for (const json::value& taint : wished) {
    if (TextAt(taint, "/key").starts_with(kForeign)) return;
  }
  if (!Has(node, "/metadata/resourceVersion")) return;  // it is gone
  wished.push_back({{"key", "example.com/taint"}, {"effect", "PreferNoSchedule"}});
  const json::value patch = {
      {"metadata", {{"resourceVersion", node.at("metadata").at("resourceVersion")}}},
      {"spec", {{"taints", wished}}}};
  Patch(path, json::serialize(patch));
}

std::vector<std::string> Stage::LivingVms() {
  std::vector<std::string> living;
  for (const providers::Vm* vm : cluster_.cloud().Present()) {
    if (vm->Lives()) living.push_back(vm->id);
  }
  return living;
}

std::string Stage::PickVm(const Happening& happening) {
  const std::vector<std::string> living = LivingVms();
  return living.empty() ? std::string() : living[happening.pick % living.size()];
}

// Those of them that run, for a while.
void Stage::Halt(const std::vector<std::string>& vms, Duration lasts) {
  std::vector<std::string> halted;
  for (const std::string& id : vms) {
    const providers::Vm* vm = cluster_.cloud().Find(id);
    if (vm != nullptr && !vm->halted) halted.push_back(id);
  }
  for (const std::string& id : halted) (void)cluster_.cloud().Halt(id);
  After(lasts, [this, halted] {
    for (const std::string& id : halted) (void)cluster_.cloud().Resume(id);
  });
}

// Of what lasts, the end must come: who finds the server away comes again.
void Stage::Insist(const std::string& path, const std::string& patch) {
  if (!cluster_.server_is_away()) return Patch(path, patch);
  After(10s, [this, path, patch] { Insist(path, patch); });
}

void Stage::HoldBack(Duration lasts) {
  const Words& words = cluster_.words();
  if (words.paused == nullptr) return;
  Patch(words.DeploymentPath(), words.paused(true));
  After(lasts, [this, &words] { Insist(words.DeploymentPath(), words.paused(false)); });
}

void Stage::DeleteNode(const Happening& happening) {
  std::vector<std::string> nodes;
  for (const auto& [key, machine] : cluster_.auditor().machines()) {
    if (!machine.node.empty()) nodes.push_back(machine.node);
  }
  if (nodes.empty() || cluster_.server_is_away()) return;
  cluster_.Ask("DELETE", "/api/v1/nodes/" + nodes[happening.pick % nodes.size()]);
}

// Its pods stay wished, so what holds up the end of its last machine is their budget, unless that
// lets go.
void Stage::Remake() {
  if (cluster_.server_is_away()) return;
  const std::string path = cluster_.words().DeploymentPath();
  const json::value was = cluster_.Get(path);
  if (!Has(was, "/spec") || Has(was, "/metadata/deletionTimestamp")) return;
  json::value metadata = {{"name", kDeploymentName}, {"namespace", "default"}};
  remade_ = json::serialize(json::object{{"apiVersion", was.at("apiVersion")},
                                         {"kind", was.at("kind")},
                                         {"metadata", std::move(metadata)},
                                         {"spec", was.at("spec")}});
  cluster_.Ask("DELETE", path);
  MakeAgain();
}

void Stage::MakeAgain() {
  const Words& words = cluster_.words();
  if (cluster_.server_is_away() || !IsEmpty(cluster_.auditor())) {
    return After(10s, [this] { MakeAgain(); });
  }
  cluster_.Ask("POST", words.Path(words.deployments), remade_);
  Patch(words.DeploymentPath(), words.scaled(replicas_));
  // Whoever paused the one before it let go of that one.
  if (words.paused != nullptr) Patch(words.DeploymentPath(), words.paused(false));
}

void Stage::ShutBudget(Duration lasts) {
  const apiserver::RecordPtr budget = cluster_.store().Get(kBudgetKey);
  if (budget == nullptr) return;
  const auto wish = [](int least) {
    return fmt::format(R"({{"spec":{{"minAvailable":{}}}}})", least);
  };
  if (shut_++ == 0) least_pods_ = NumberAt(json::parse(budget->value), "/spec/minAvailable");
  Patch(kBudget, wish(1000));
  After(lasts, [this, wish] {
    if (--shut_ == 0) Insist(kBudget, wish(least_pods_));
  });
}

}  // namespace millwright::sim
