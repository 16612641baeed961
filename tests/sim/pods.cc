#include "tests/sim/pods.h"

#include <fmt/format.h>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/json.hpp>

#include <algorithm>

#include "apiserver/server/embedded.h"
#include "providers/simulated/volume_id.h"

namespace millwright::sim {

namespace json = boost::json;
using namespace std::chrono_literals;

namespace {

constexpr const char* kPods = "/api/v1/namespaces/default/pods";
constexpr const char* kBudgets = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
constexpr const char* kAttachments = "/apis/storage.k8s.io/v1/volumeattachments";
constexpr Duration kPeriod = 5s;

std::string BudgetText(int least) {
  return fmt::format(
      R"({{"apiVersion":"policy/v1","kind":"PodDisruptionBudget","metadata":{{"name":"load"}},)"
      R"("spec":{{"minAvailable":{},"selector":{{"matchLabels":{{"app":"load"}}}}}}}})",
      least);
}

bool HasVolume(int slot) { return slot % 2 == 0; }
std::string VolumeName(int slot) { return fmt::format("volume-{}", slot); }

std::string VolumeText(int slot) {
  return fmt::format(R"({{"apiVersion":"v1","kind":"PersistentVolume","metadata":{{"name":"{0}"}},)"
                     R"("spec":{{"capacity":{{"storage":"1Gi"}},"accessModes":["ReadWriteOnce"],)"
                     R"("claimRef":{{"namespace":"default","name":"{0}"}},)"
                     R"("csi":{{"driver":"{1}","volumeHandle":"{0}"}}}}}})",
                     VolumeName(slot), providers::kSimulatedCsiDriver);
}

std::string ClaimText(int slot) {
  return fmt::format(
      R"({{"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{{"name":"{0}"}},)"
      R"("spec":{{"volumeName":"{0}","accessModes":["ReadWriteOnce"],)"
      R"("resources":{{"requests":{{"storage":"1Gi"}}}}}}}})",
      VolumeName(slot));
}

std::string PodText(int slot, int serial, const std::string& node) {
  const std::string volume =
      HasVolume(slot)
          ? fmt::format(
                R"(,"volumes":[{{"name":"v","persistentVolumeClaim":{{"claimName":"{}"}}}}])",
                VolumeName(slot))
          : "";
  return fmt::format(R"({{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"load-{}-{}",)"
                     R"("labels":{{"app":"load","slot":"{}"}}}},)"
                     R"("spec":{{"nodeName":"{}","containers":[{{"name":"c","image":"i"}}],)"
                     R"("terminationGracePeriodSeconds":5{}}}}})",
                     slot, serial, slot, node, volume);
}

std::string StatusText(bool ready) {
  return fmt::format(
      R"({{"status":{{"phase":"Running","conditions":[{{"type":"Ready","status":"{}"}}]}}}})",
      ready ? "True" : "False");
}

bool IsReadyObject(const json::value& object) {
  boost::system::error_code none;
  const json::value* conditions = object.find_pointer("/status/conditions", none);
  if (conditions == nullptr || !conditions->is_array()) return false;
  return std::ranges::any_of(conditions->as_array(), [](const json::value& condition) {
    return TextAt(condition, "/type") == "Ready" && TextAt(condition, "/status") == "True";
  });
}

}  // namespace

Pods::Pods(Cluster& cluster, int wished, int least)
    : cluster_(cluster),
      wished_(wished),
      process_(cluster.world()),
      clock_(process_),
      wire_(process_, cluster.server_place(), apiserver::TrustedPeer("kubelets")) {
  cluster.Ask("POST", kBudgets, BudgetText(least));
  for (int slot = 0; slot < wished; ++slot) {
    if (!HasVolume(slot)) continue;
    cluster.Ask("POST", "/api/v1/persistentvolumes", VolumeText(slot));
    cluster.Ask("POST", "/api/v1/namespaces/default/persistentvolumeclaims", ClaimText(slot));
  }
  boost::asio::co_spawn(process_.executor(), Run(*this), boost::asio::detached);
}

Pods::~Pods() = default;

void Pods::End() {
  wished_ = 0;
  cluster_.Ask("DELETE", std::string(kBudgets) + "/load");
  for (const json::value& pod : Stored("/core/pods/")) {
    cluster_.Ask("DELETE",
                 fmt::format("{}/{}?gracePeriodSeconds=0", kPods, TextAt(pod, "/metadata/name")));
  }
}

Task<void> Pods::Run(Pods& self) {
  const int slots = self.wished_;
  while (co_await SleepFor(self.clock_, kPeriod) != Wake::kCancelled) {
    if (self.cluster_.server_is_away()) continue;
    // Most of the time nothing happens.
    const auto state =
        std::pair(self.cluster_.store().revision(), self.cluster_.cloud().history().size());
    if (state == self.seen_) continue;
    self.seen_ = state;
    for (const json::value& pod : self.Stored("/core/pods/")) co_await self.LookAt(pod);
    for (int slot = 0; slot < slots; ++slot) co_await self.SeeToVolume(slot);
    for (int slot = 0; slot < self.wished_; ++slot) co_await self.Place(slot);
  }
}

// The kubelet of its node, or whoever cleans up behind nodes that are gone.
Task<void> Pods::LookAt(const json::value& pod) {
  const std::string target = fmt::format("{}/{}", kPods, TextAt(pod, "/metadata/name"));
  const std::string node = TextAt(pod, "/spec/nodeName");
  const bool node_is_gone = cluster_.store().Get("/core/nodes/" + node) == nullptr;
  const bool ends = Has(pod, "/metadata/deletionTimestamp") && Lives(node);
  if (node_is_gone || ends) {
    co_await Send("DELETE", target + "?gracePeriodSeconds=0");
  } else if (const bool ready = IsReady(node); ready != IsReadyObject(pod)) {
    co_await Send("PATCH", target + "/status", StatusText(ready));
  }
}

// Whoever attaches volumes where their pods are, and detaches them where they are no longer.
Task<void> Pods::SeeToVolume(int slot) {
  if (!HasVolume(slot)) co_return;
  const std::string wanted = NodeOfSlot(slot);
  const std::optional<std::string> attached = AttachedTo(slot);
  if (attached && *attached != wanted) {
    co_await Detach(slot, *attached);
  } else if (!attached && !wanted.empty()) {
    co_await Attach(slot, wanted);
  }
}

Task<void> Pods::Attach(int slot, std::string node) {
  co_await Send("POST", kAttachments,
                fmt::format(R"({{"apiVersion":"storage.k8s.io/v1","kind":"VolumeAttachment",)"
                            R"("metadata":{{"name":"{0}"}},"spec":{{"attacher":"{1}",)"
                            R"("nodeName":"{2}","source":{{"persistentVolumeName":"{0}"}}}}}})",
                            VolumeName(slot), providers::kSimulatedCsiDriver, node));
  co_await Report(node, slot, true);
}

Task<void> Pods::Detach(int slot, std::string node) {
  co_await Report(node, slot, false);
  co_await Send("DELETE", fmt::format("{}/{}", kAttachments, VolumeName(slot)));
}

// The node's list of attached volumes, with or without this one.
Task<void> Pods::Report(std::string node, int slot, bool attached) {
  const apiserver::RecordPtr record = cluster_.store().Get("/core/nodes/" + node);
  if (record == nullptr) co_return;
  const json::value object = json::parse(record->value);
  boost::system::error_code none;
  const json::value* known = object.find_pointer("/status/volumesAttached", none);
  const std::string name =
      fmt::format("kubernetes.io/csi/{}^{}", providers::kSimulatedCsiDriver, VolumeName(slot));
  json::array volumes;
  if (known != nullptr && known->is_array()) {
    for (const json::value& volume : known->as_array()) {
      if (TextAt(volume, "/name") != name) volumes.push_back(volume);
    }
  }
  if (attached) volumes.push_back({{"name", name}, {"devicePath", ""}});
  const json::value patch = {{"status", {{"volumesAttached", std::move(volumes)}}}};
  co_await Send("PATCH", fmt::format("/api/v1/nodes/{}/status", node), json::serialize(patch));
}

// The scheduler, and the controller that wants one pod in each slot.
Task<void> Pods::Place(int slot) {
  const std::vector<std::string> nodes = OpenNodes();
  if (nodes.empty() || !NodeOfSlot(slot).empty() || AttachedTo(slot)) co_return;
  const std::string& node = nodes[static_cast<std::size_t>(serial_) % nodes.size()];
  co_await Send("POST", kPods, PodText(slot, serial_++, node));
}

Task<void> Pods::Send(std::string method, std::string target, std::string body) {
  const char* type = method == "PATCH" ? "application/merge-patch+json" : "application/json";
  // What fails is tried again when we look again.
  (void)co_await wire_.Send({.method = std::move(method),
                             .target = std::move(target),
                             .headers = {{"Content-Type", type}},
                             .body = std::move(body)});
}

std::string Pods::NodeOfSlot(int slot) const {
  for (const json::value& pod : Stored("/core/pods/")) {
    if (TextAt(pod, "/metadata/labels/slot") == std::to_string(slot)) {
      return TextAt(pod, "/spec/nodeName");
    }
  }
  return "";
}

std::optional<std::string> Pods::AttachedTo(int slot) const {
  const apiserver::RecordPtr record =
      cluster_.store().Get("/storage.k8s.io/volumeattachments/" + VolumeName(slot));
  if (record == nullptr) return std::nullopt;
  return TextAt(json::parse(record->value), "/spec/nodeName");
}

bool Pods::IsReady(const std::string& node) const {
  const apiserver::RecordPtr record = cluster_.store().Get("/core/nodes/" + node);
  return record != nullptr && IsReadyObject(json::parse(record->value));
}

bool Pods::Lives(const std::string& node) const {
  const auto vms = cluster_.cloud().Present();
  return std::ranges::any_of(
      vms, [&](const providers::Vm* vm) { return vm->node == node && vm->Lives() && !vm->halted; });
}

std::vector<std::string> Pods::OpenNodes() const {
  std::vector<std::string> open;
  for (const json::value& node : Stored("/core/nodes/")) {
    const bool closed = TextAt(node, "/spec/unschedulable") == "true" ||
                        Has(node, "/metadata/deletionTimestamp") || !IsReadyObject(node);
    if (!closed) open.push_back(TextAt(node, "/metadata/name"));
  }
  return open;
}

std::vector<json::value> Pods::Stored(const char* scope) const {
  std::vector<json::value> objects;
  const auto page = cluster_.store().List({.scope = scope});
  for (const apiserver::RecordPtr& record : page->records) {
    objects.push_back(json::parse(record->value));
  }
  return objects;
}

}  // namespace millwright::sim
