#include "tests/sim/stage.h"

#include <fmt/format.h>
#include <boost/json.hpp>

namespace millwright::sim {

namespace json = boost::json;
using namespace std::chrono_literals;

namespace {

constexpr const char* kMerge = "application/merge-patch+json";

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

void Stage::Begin(const Happening& happening) {
  Cluster& cluster = cluster_;
  providers::CloudEngine& cloud = cluster.cloud();
  providers::EngineOptions& options = cloud.options();
  const Duration lasts = happening.lasts;
  switch (happening.what) {
    case What::kScaled: return Scale(happening.amount);
    case What::kRolled: return Roll(happening.amount);
    case What::kMachineDeleted: return DeleteMachine(happening);
    case What::kMarked: return Mark(happening);
    case What::kVmHalted: (void)cloud.Halt(PickVm(happening)); return;
    case What::kVmDestroyed: (void)cloud.Destroy(PickVm(happening)); return;
    case What::kVmDoubled: (void)cloud.Duplicate(PickVm(happening)); return;
    case What::kAllHalted: return HaltAll(lasts);
    case What::kQuota:
      options.quota = static_cast<std::size_t>(happening.amount);
      return After(lasts, [&options] { options.quota.reset(); });
    case What::kListLags:
      options.list_lag = lasts;
      return After(lasts, [&options] { options.list_lag = {}; });
    case What::kGetLags:
      options.get_lag = lasts;
      return After(lasts, [&options] { options.get_lag = {}; });
    case What::kCloudSlow: return SlowDown(lasts);
    case What::kServerAway:
      cluster.TakeServerAway();
      return After(lasts, [&cluster] { cluster.BringServerBack(false); });
    case What::kCompaction:
      cluster.TakeServerAway();
      return After(lasts, [&cluster] { cluster.BringServerBack(true); });
    case What::kWatchesHeld:
      cluster.HoldWatches(true);
      return After(lasts, [&cluster] { cluster.HoldWatches(false); });
    case What::kWatchesRepeated:
      cluster.RepeatWatches(true);
      return After(lasts, [&cluster] { cluster.RepeatWatches(false); });
    case What::kRival:
      cluster.StartRival();
      return After(lasts, [&cluster] { cluster.EndRival(); });
    case What::kPaused: return Pause(lasts);
    case What::kTakenOver:
      Pause(lasts);
      cluster.StartRival();
      return After(lasts + 30s, [&cluster] { cluster.EndRival(); });
    case What::kClockJump:
      cluster.auditor().TrustTime(false);
      cluster.SkewControllers(std::chrono::hours(happening.amount));
      return After(lasts, [&cluster] { cluster.SkewControllers({}); });
    case What::kStaleRestart:
      cluster.RestartWithStaleView(cluster.store().revision() - happening.amount);
      return After(lasts, [&cluster] { cluster.EndStaleView(); });
  }
}

void Stage::Pause(Duration lasts) {
  cluster_.PauseControllers(true);
  After(lasts, [this] { cluster_.PauseControllers(false); });
}

void Stage::SlowDown(Duration lasts) {
  providers::EngineOptions& options = cluster_.cloud().options();
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

std::string Stage::PickVm(const Happening& happening) {
  std::vector<std::string> living;
  for (const providers::Vm* vm : cluster_.cloud().Present()) {
    if (vm->Lives()) living.push_back(vm->id);
  }
  return living.empty() ? std::string() : living[happening.pick % living.size()];
}

void Stage::HaltAll(Duration lasts) {
  std::vector<std::string> halted;
  for (const providers::Vm* vm : cluster_.cloud().Present()) {
    if (vm->Lives() && !vm->halted) halted.push_back(vm->id);
  }
  for (const std::string& id : halted) (void)cluster_.cloud().Halt(id);
  After(lasts, [this, halted] {
    for (const std::string& id : halted) (void)cluster_.cloud().Resume(id);
  });
}

}  // namespace millwright::sim
