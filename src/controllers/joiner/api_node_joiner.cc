#include "controllers/joiner/api_node_joiner.h"

#include <boost/json.hpp>

namespace millwright::controllers {

namespace json = boost::json;

namespace {

const kube::GroupVersionResource kNodes{"", "v1", "nodes"};
constexpr Duration kHeartbeat = std::chrono::seconds(20);

json::object Condition(std::string_view type, std::string_view status, std::string_view reason,
                       WallTime now) {
  const std::string time = FormatTime(now);
  return {{"type", type},  {"status", status},           {"reason", reason},
          {"message", ""}, {"lastTransitionTime", time}, {"lastHeartbeatTime", time}};
}

json::object TextMap(const std::map<std::string, std::string>& values) {
  json::object map;
  for (const auto& [key, value] : values) map.insert_or_assign(key, value);
  return map;
}

}  // namespace

Task<Result<void>> ApiNodeJoiner::Join(Node node) {
  const WallTime now = clock_.Now();
  std::map<std::string, std::string> capacity = node.capacity;
  capacity.try_emplace("cpu", "4");
  capacity.try_emplace("memory", "8Gi");
  capacity.try_emplace("pods", "110");
  std::map<std::string, std::string> labels = node.labels;
  labels.try_emplace("kubernetes.io/hostname", node.name);
  const json::object status{
      {"capacity", TextMap(capacity)},
      {"allocatable", TextMap(capacity)},
      {"conditions",
       json::array{Condition("MemoryPressure", "False", "KubeletHasSufficientMemory", now),
                   Condition("DiskPressure", "False", "KubeletHasNoDiskPressure", now),
                   Condition("PIDPressure", "False", "KubeletHasSufficientPID", now),
                   Condition("Ready", "True", "KubeletReady", now)}}};
  // The status comes with the object: for nodes a real server takes it.
  const json::object body{{"apiVersion", "v1"},
                          {"kind", "Node"},
                          {"metadata", {{"name", node.name}, {"labels", TextMap(labels)}}},
                          {"spec", {{"providerID", node.provider_id}}},
                          {"status", status}};
  const kube::ObjectKey key{.namespace_ = {}, .name = node.name};
  auto joined = co_await target_.Create(kNodes, key, json::serialize(body));
  if (!joined && joined.error().kind() == ErrorKind::kAlreadyExists) {
    joined = co_await target_.Get(kNodes, key);
  }
  if (!joined) co_return Failure(std::move(joined).error());
  CO_TRY(const kube::Meta meta, joined->ReadMeta());
  Keep(node.name, meta.uid);
  co_return Ok();
}

void ApiNodeJoiner::Keep(const std::string& node, Uid uid) {
  if (well_.insert_or_assign(node, std::move(uid)).second) due_.Add(clock_.Elapsed(), node);
  changed_.NotifyAll();
}

Task<void> ApiNodeJoiner::Renew(std::string node, Uid uid) {
  const kube::ObjectKey key{"kube-node-lease", node};
  const json::object lease{
      {"apiVersion", "coordination.k8s.io/v1"},
      {"kind", "Lease"},
      {"metadata",
       {{"name", key.name},
        {"namespace", key.namespace_},
        {"ownerReferences",
         json::array{json::object{
             {"apiVersion", "v1"}, {"kind", "Node"}, {"name", node}, {"uid", uid.str()}}}}}},
      {"spec",
       {{"holderIdentity", node},
        {"leaseDurationSeconds", 40},
        {"renewTime", FormatMicroTime(clock_.Now())}}}};
  // One that fails is tried again with the next heartbeat.
  const auto renewed = co_await target_.Apply({"coordination.k8s.io", "v1", "leases"}, key,
                                              json::serialize(lease), {.force = true});
  (void)renewed;
}

Task<void> ApiNodeJoiner::RunHeartbeats() {
  for (;;) {
    while (const auto node = due_.PopDue(clock_.Elapsed())) {
      const auto well = well_.find(*node);
      if (well == well_.end()) continue;
      due_.Add(clock_.Elapsed() + kHeartbeat, *node);
      co_await Renew(*node, well->second);
    }
    if (co_await changed_.WaitUntil(clock_, due_.Next().value_or(kNever)) == Wake::kCancelled) {
      co_return;
    }
  }
}

Task<Result<void>> ApiNodeJoiner::SetReady(std::string name, bool ready, std::string reason) {
  const WallTime now = clock_.Now();
  if (!ready) well_.erase(name);
  const json::object patch{
      {"status",
       {{"conditions", json::array{Condition("Ready", ready ? "True" : "Unknown", reason, now)}}}}};
  auto written = co_await target_.Patch(kNodes, {.namespace_ = {}, .name = name},
                                        kube::PatchKind::kStrategicMerge, json::serialize(patch),
                                        {.write = {.subresource = "status"}});
  if (!written && written.error().kind() == ErrorKind::kNotFound) co_return Ok();
  if (!written) co_return Failure(std::move(written).error());
  CO_TRY(const kube::Meta meta, written->ReadMeta());
  if (ready) Keep(name, meta.uid);
  co_return Ok();
}

}  // namespace millwright::controllers
