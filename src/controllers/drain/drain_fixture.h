// For tests: a drainer against the embedded API server in virtual time, with a kubelet that ends
// pods, and a machine that is looked at whenever it is woken or its time has come.
#pragma once

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "apiserver/server/embedded.h"
#include "apiserver/server/in_process.h"
#include "apiserver/store/memory_disk.h"
#include "base/log_capture.h"
#include "base/virtual/world.h"
#include "controllers/drain/drainer.h"
#include "controllers/drain/pod_record.h"
#include "kube/api/json_text.h"

namespace millwright::controllers {

// Remembers what was asked, and can cut the line.
class RecordingHttp final : public net::Http {
 public:
  explicit RecordingHttp(net::Http& inner) : inner_(inner) {}

  Task<Result<net::HttpResponse>> Send(net::HttpRequest request) override {
    requests.push_back(request);
    if (down) return Refuse<net::HttpResponse>();
    return inner_.Send(std::move(request));
  }
  Task<Result<net::HttpStream>> Open(net::HttpRequest request) override {
    requests.push_back(request);
    if (down) return Refuse<net::HttpStream>();
    return inner_.Open(std::move(request));
  }

  std::vector<net::HttpRequest> requests;
  bool down = false;  // nobody answers

 private:
  template <class T>
  static Task<Result<T>> Refuse() {
    co_return Fail(ErrorKind::kUnavailable, "nobody answers");
  }

  net::Http& inner_;
};

class DrainFixture : public testing::Test {
 protected:
  static constexpr const char* kPods = "/api/v1/namespaces/default/pods";
  static constexpr const char* kNodes = "/api/v1/nodes";
  static constexpr const char* kBudgets = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
  static constexpr const char* kClaims = "/api/v1/namespaces/default/persistentvolumeclaims";
  static constexpr const char* kVolumes = "/api/v1/persistentvolumes";
  static constexpr const char* kAttachments = "/apis/storage.k8s.io/v1/volumeattachments";

  DrainFixture() : process_(world_), clock_(process_), log_(sink_, clock_) {
    boost::asio::co_spawn(process_.executor(), Main(*this), [](const std::exception_ptr& error) {
      if (error) std::rethrow_exception(error);
    });
    world_.RunUntil([this] { return tasks_ != nullptr; });
    Must("POST", kNodes, R"({"metadata":{"name":"node"}})", 201);
  }

  // The root frame owns all that the process is made of; at the end of a test it crashes.
  static Task<void> Main(DrainFixture& self) {
    const Executor executor = self.process_.executor();
    apiserver::MemoryDisk disk("test");
    auto server = apiserver::EmbeddedServer::Open(
                      {.executor = executor,
                       .clock = self.clock_,
                       .random = self.random_,
                       .disk = disk,
                       .pki = apiserver::MakePki({}, self.clock_.Now(), self.random_),
                       .nodes = std::nullopt})
                      .value();
    (co_await server->Start()).value();
    apiserver::InProcessHttp http(executor, server->handler(), apiserver::TrustedPeer("test"));
    RecordingHttp recorded(http);
    kube::Client client(recorded, "drain");
    kube::Client kubelet_client(http, "kubelet");
    kube::Informer<dialects::NodeRecord> nodes(executor, client, self.clock_, self.random_, {},
                                               {.resource = {"", "v1", "nodes"}},
                                               dialects::ReadNode);
    kube::Informer<PodRecord> kubelet(executor, kubelet_client, self.clock_, self.random_, {},
                                      {.resource = {"", "v1", "pods"}}, ReadPod);
    Signal woken(executor);
    Drainer drainer({.executor = executor,
                     .clock = self.clock_,
                     .random = self.random_,
                     .log = self.log_,
                     .target = &client,
                     .nodes = &nodes},
                    [&](const kube::ObjectKey&) {
                      ++self.wakes_;
                      woken.NotifyAll();
                    });
    TaskGroup tasks(executor);
    kubelet.OnChange([&](const PodRecord*, const PodRecord* pod) {
      if (pod == nullptr || !pod->meta.deleting_since || !self.kubelet_works_) return;
      tasks.Spawn([&, meta = pod->meta] { return End(self, kubelet_client, meta); });
    });
    self.http_ = &http;
    self.recorded_ = &recorded;
    self.drainer_ = &drainer;
    self.woken_ = &woken;
    self.client_ = &client;
    tasks.Spawn([&] { return nodes.Run(); });
    tasks.Spawn([&] { return kubelet.Run(); });
    tasks.Spawn([&] { return drainer.Run(); });
    co_await nodes.WaitSynced();
    self.tasks_ = &tasks;
    co_await UntilCancelled();
  }

  static Task<void> End(DrainFixture& self, kube::Client& client, kube::Meta pod) {
    if (self.ends_after_ > Duration::zero()) co_await SleepFor(self.clock_, self.ends_after_);
    (void)co_await client.Delete({"", "v1", "pods"}, pod.key,
                                 {.uid = pod.uid, .grace_period_seconds = 0});
  }

  // ---- The cluster

  boost::json::value Ask(std::string method, std::string target, std::string body, int& status) {
    const bool patch = method == "PATCH";
    net::HttpRequest request{
        .method = std::move(method),
        .target = std::move(target),
        .headers = {{"Content-Type", patch ? "application/merge-patch+json" : "application/json"}},
        .body = std::move(body)};
    const auto answer = *RunTask(process_, http_->Send(std::move(request)));
    status = answer.value().status;
    return boost::json::parse(answer.value().body);
  }

  boost::json::value Must(std::string method, std::string target, std::string body = "",
                          int expected = 200) {
    int status = 0;
    auto reply = Ask(std::move(method), std::move(target), std::move(body), status);
    EXPECT_EQ(status, expected) << reply;
    return reply;
  }

  bool Exists(const std::string& target) {
    int status = 0;
    Ask("GET", target, "", status);
    return status == 200;
  }

  struct PodOptions {
    std::string app = "web";
    std::string node = "node";
    std::string owner_kind = {};
    std::vector<std::string> claims = {};
    int grace = 30;
    bool ready = true;
    bool mirror = false;
  };

  // It has to be there, or its pods are garbage.
  std::string AddOwner(std::string kind) {
    std::ranges::transform(kind, kind.begin(), [](unsigned char c) { return std::tolower(c); });
    const auto owner = Must("POST", fmt::format("/apis/apps/v1/namespaces/default/{}s", kind),
                            R"({"metadata":{"name":"owner"},"spec":{
                                "selector":{"matchLabels":{"app":"owned"}},
                                "template":{"metadata":{"labels":{"app":"owned"}},
                                "spec":{"containers":[{"name":"c","image":"i:1"}]}}}})",
                            201);
    return std::string(kube::GetString(owner, "metadata.uid"));
  }

  void AddPod(const std::string& name) { AddPod(name, PodOptions()); }
  void AddPod(const std::string& name, const PodOptions& options) {
    boost::json::object metadata{{"name", name}, {"labels", {{"app", options.app}}}};
    if (!options.owner_kind.empty()) {
      metadata["ownerReferences"] = {{{"apiVersion", "apps/v1"},
                                      {"kind", options.owner_kind},
                                      {"name", "owner"},
                                      {"uid", AddOwner(options.owner_kind)},
                                      {"controller", true}}};
    }
    if (options.mirror) metadata["annotations"] = {{"kubernetes.io/config.mirror", "x"}};
    boost::json::array volumes;
    for (const std::string& claim : options.claims) {
      volumes.push_back({{"name", claim}, {"persistentVolumeClaim", {{"claimName", claim}}}});
    }
    const boost::json::object pod{
        {"metadata", metadata},
        {"spec",
         {{"nodeName", options.node},
          {"terminationGracePeriodSeconds", options.grace},
          {"volumes", volumes},
          {"containers", boost::json::array{{{"name", "c"}, {"image", "i:1"}}}}}}};
    Must("POST", kPods, boost::json::serialize(pod), 201);
    SetReady(name, options.ready);
  }

  void SetReady(const std::string& pod, bool ready) {
    Must("PATCH", fmt::format("{}/{}/status", kPods, pod),
         fmt::format(R"({{"status":{{"phase":"Running","conditions":[
                         {{"type":"Ready","status":"{}"}}]}}}})",
                     ready ? "True" : "False"));
  }

  void AddBudget(const std::string& name, int min_available, const std::string& app = "web") {
    Must("POST", kBudgets,
         fmt::format(R"({{"metadata":{{"name":"{}"}},"spec":{{"minAvailable":{},
                         "selector":{{"matchLabels":{{"app":"{}"}}}}}}}})",
                     name, min_available, app),
         201);
    world_.Settle();
  }

  // A claim with its volume, whose id is "handle-NAME", attached to the node.
  void AddClaim(const std::string& name) {
    Must("POST", kVolumes,
         fmt::format(R"({{"metadata":{{"name":"pv-{0}"}},"spec":{{"accessModes":["ReadWriteOnce"],
                         "capacity":{{"storage":"1Gi"}},
                         "csi":{{"driver":"d","volumeHandle":"handle-{0}"}}}}}})",
                     name),
         201);
    Must("POST", kClaims,
         fmt::format(R"({{"metadata":{{"name":"{0}"}},"spec":{{"accessModes":["ReadWriteOnce"],
                         "resources":{{"requests":{{"storage":"1Gi"}}}},
                         "volumeName":"pv-{0}"}}}})",
                     name),
         201);
    attached_.push_back(name);
    ReportAttached();
  }

  void Detach(const std::string& claim) {
    std::erase(attached_, claim);
    ReportAttached();
  }

  void ReportAttached() {
    boost::json::array names;
    for (const std::string& claim : attached_) {
      names.push_back({{"name", "kubernetes.io/csi/d^handle-" + claim}, {"devicePath", ""}});
    }
    const boost::json::object patch{{"status", {{"volumesAttached", names}}}};
    Must("PATCH", std::string(kNodes) + "/node/status", boost::json::serialize(patch));
    world_.Settle();
  }

  void AttachElsewhere(const std::string& claim) {
    Must("POST", kAttachments,
         fmt::format(R"({{"metadata":{{"name":"va-{0}"}},"spec":{{"attacher":"d",
                         "nodeName":"other","source":{{"persistentVolumeName":"pv-{0}"}}}}}})",
                     claim),
         201);
    Must("PATCH", fmt::format("{}/va-{}/status", kAttachments, claim),
         R"({"status":{"attached":true}})");
    world_.Settle();
  }

  // ---- The drain

  static core::DrainRules Rules() { return {.max_attempts = 10, .limit = std::chrono::hours(2)}; }

  DrainOrder Order(core::DrainRules rules) const {
    return {.machine = {.namespace_ = "machines", .name = "m"},
            .machine_uid = Uid("m"),
            .node = "node",
            .rules = rules,
            .cloud = cloud_,
            .instance_class = std::make_shared<providers::InstanceClass>()};
  }

  // Looks whenever woken or due, until it is over.
  void Drain(core::DrainRules rules = Rules()) {
    looks_.clear();
    tasks_->Spawn([this, rules] { return Drive(*this, Order(rules)); });
    world_.Settle();
  }

  static Task<void> Drive(DrainFixture& self, DrainOrder order) {
    while (true) {
      const int wakes = self.wakes_;
      self.looks_.push_back((co_await self.drainer_->Look(order)).value());
      const DrainLook& look = self.looks_.back();
      if (look.state == core::DrainState::kDone || look.state == core::DrainState::kTimeOver) break;
      if (self.wakes_ != wakes) continue;
      const SteadyTime again =
          look.look_again ? self.clock_.Elapsed() + (*look.look_again - self.clock_.Now()) : kNever;
      if (co_await self.woken_->WaitUntil(self.clock_, again) == Wake::kCancelled) break;
    }
  }

  const DrainLook& Last() const { return looks_.back(); }
  core::DrainState state() const { return Last().state; }

  // Names of pods that the drainer asked to be evicted, or deleted, in this order.
  std::vector<std::string> Evicted() const {
    return Asked("POST", [](const std::string& path) {
      return path.ends_with("/eviction") ? path.substr(0, path.size() - 9) : std::string();
    });
  }
  std::vector<std::string> Deleted() const {
    return Asked("DELETE", [](const std::string& path) { return path; });
  }

  // How often a list or watch of that resource was asked for.
  std::ptrdiff_t Watches(std::string_view resource) const {
    return std::ranges::count_if(recorded_->requests, [&](const net::HttpRequest& request) {
      return request.target.contains(std::string(resource) + "?") &&
             request.target.contains("watch=");
    });
  }

  template <class PathOf>
  std::vector<std::string> Asked(std::string_view method, PathOf path_of) const {
    std::vector<std::string> names;
    for (const net::HttpRequest& request : recorded_->requests) {
      if (request.method != method) continue;
      const std::string path = path_of(request.target.substr(0, request.target.find('?')));
      if (!path.empty()) names.push_back(path.substr(path.rfind('/') + 1));
    }
    return names;
  }

  VirtualWorld world_;
  VirtualProcess process_;
  VirtualClock clock_;
  SeededRandom random_{1};
  CapturingSink sink_;
  Log log_;
  apiserver::InProcessHttp* http_ = nullptr;
  RecordingHttp* recorded_ = nullptr;
  Drainer* drainer_ = nullptr;
  kube::Client* client_ = nullptr;
  Signal* woken_ = nullptr;
  TaskGroup* tasks_ = nullptr;
  providers::Cloud* cloud_ = nullptr;
  bool kubelet_works_ = true;
  Duration ends_after_{};
  std::vector<std::string> attached_;
  std::vector<DrainLook> looks_;
  int wakes_ = 0;
};

}  // namespace millwright::controllers
