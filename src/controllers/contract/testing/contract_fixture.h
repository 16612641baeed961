// For tests: the contract loops in virtual time between two embedded API servers, one for the
// management cluster with definitions and objects of an invented provider, one for the cluster that
// machines join. What providers and kubelets do, tests do.
#pragma once

#include <gtest/gtest.h>

#include <fmt/format.h>
#include <boost/asio/co_spawn.hpp>
#include <boost/json.hpp>

#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "apiserver/server/embedded.h"
#include "apiserver/server/in_process.h"
#include "apiserver/store/memory_disk.h"
#include "base/base64.h"
#include "base/log_capture.h"
#include "base/virtual/world.h"
#include "controllers/contract/external/externals.h"
#include "controllers/contract/remote/remote_clusters.h"
#include "controllers/contract/shared/caches.h"
#include "dialects/capi/schema.h"
#include "kube/api/json_text.h"

namespace millwright::controllers::contract {

// Remembers what was asked, and can cut the line or refuse.
class RecordingHttp final : public net::Http {
 public:
  RecordingHttp(net::Http& inner, Clock& clock) : inner_(inner), clock_(clock) {}

  Task<Result<net::HttpResponse>> Send(net::HttpRequest request) override {
    requests.push_back(request.method + " " + request.target);
    if (down) co_return co_await Hang<net::HttpResponse>(request);
    if (unauthenticated) {
      co_return net::HttpResponse{.status = 401, .headers = {}, .body = "{}"};
    }
    if (refuses && refuses(request)) {
      co_return Fail(ErrorKind::kUnavailable, "refused by the test");
    }
    if (const std::optional<int> status = answers ? answers(request) : std::nullopt) {
      const std::string reason = *status == 409 ? "Conflict" : "";
      co_return net::HttpResponse{
          .status = *status,
          .headers = {},
          .body = fmt::format(R"({{"kind":"Status","reason":"{}","code":{}}})", reason, *status)};
    }
    // The embedded server has nothing at its root.
    if (request.target == "/")
      co_return net::HttpResponse{.status = 200, .headers = {}, .body = ""};
    co_return co_await inner_.Send(std::move(request));
  }
  Task<Result<net::HttpStream>> Open(net::HttpRequest request) override {
    requests.push_back(request.method + " " + request.target);
    if (down) co_return co_await Hang<net::HttpStream>(request);
    if (refuses && refuses(request)) {
      co_return Fail(ErrorKind::kUnavailable, "refused by the test");
    }
    co_return co_await inner_.Open(std::move(request));
  }

  int Count(const std::string& beginning) const {
    return static_cast<int>(std::ranges::count_if(
        requests, [&](const std::string& request) { return request.starts_with(beginning); }));
  }

  std::vector<std::string> requests;
  bool down = false;  // nobody answers
  bool unauthenticated = false;
  std::function<bool(const net::HttpRequest&)> refuses;
  std::function<std::optional<int>(const net::HttpRequest&)> answers;  // in place of the server

 private:
  template <class T>
  Task<Result<T>> Hang(const net::HttpRequest& request) {
    co_await SleepFor(clock_, request.timeout.value_or(std::chrono::seconds(10)));
    co_return Fail(ErrorKind::kUnavailable, "nobody answers");
  }

  net::Http& inner_;
  Clock& clock_;
};

// The kubeconfig "good" leads to the cluster that most tests use, "second" to another if there is
// one.
class FakeDialer final : public RemoteDialer {
 public:
  explicit FakeDialer(net::Http& http) : http_(http) {}

  Result<std::unique_ptr<RemoteConnection>> Dial(const std::string& kubeconfig) override {
    ++dials;
    if (kubeconfig == "second" && second != nullptr) {
      return std::make_unique<FakeConnection>(*second);
    }
    if (kubeconfig != "good") return Fail(ErrorKind::kInvalid, "not understood");
    return std::make_unique<FakeConnection>(http_);
  }

  int dials = 0;
  net::Http* second = nullptr;

 private:
  class FakeConnection final : public RemoteConnection {
   public:
    explicit FakeConnection(net::Http& http) : http_(http), client_(http, "contract") {}
    kube::Client& client() override { return client_; }
    net::Http& http() override { return http_; }

   private:
    net::Http& http_;
    kube::Client client_;
  };

  net::Http& http_;
};

// What the loops of a test are made from.
struct ContractParts {
  Surroundings& surroundings;
  Caches& caches;
  Externals& externals;
  RemoteClusters& remotes;
  TaskGroup& tasks;
};

class ContractFixture : public testing::Test {
 protected:
  // Makes the loops, runs them, and waits until it is cancelled.
  using MakeLoops = std::function<Task<void>(ContractParts)>;

  static constexpr const char* kMachine = "/apis/cluster.x-k8s.io/v1beta2/namespaces/ns/machines";
  static constexpr const char* kSet = "/apis/cluster.x-k8s.io/v1beta2/namespaces/ns/machinesets";
  static constexpr const char* kDeployment =
      "/apis/cluster.x-k8s.io/v1beta2/namespaces/ns/machinedeployments";
  static constexpr const char* kCluster = "/apis/cluster.x-k8s.io/v1beta2/namespaces/ns/clusters";
  static constexpr const char* kRule =
      "/apis/cluster.x-k8s.io/v1beta2/namespaces/ns/machinedrainrules";
  static constexpr const char* kDevMachine =
      "/apis/infrastructure.cluster.x-k8s.io/v1beta2/namespaces/ns/devmachines";
  static constexpr const char* kOldMachine =
      "/apis/infrastructure.cluster.x-k8s.io/v1beta1/namespaces/ns/oldmachines";
  static constexpr const char* kDevCluster =
      "/apis/infrastructure.cluster.x-k8s.io/v1beta2/namespaces/ns/devclusters";
  static constexpr const char* kDevConfig =
      "/apis/bootstrap.cluster.x-k8s.io/v1beta2/namespaces/ns/devconfigs";
  static constexpr const char* kDevControlPlane =
      "/apis/controlplane.cluster.x-k8s.io/v1beta2/namespaces/ns/devcontrolplanes";
  static constexpr const char* kSecret = "/api/v1/namespaces/ns/secrets";
  static constexpr const char* kNode = "/api/v1/nodes";
  static constexpr const char* kPod = "/api/v1/namespaces/default/pods";

  explicit ContractFixture(MakeLoops loops, Settings settings = {}, InPlacePort* in_place = nullptr,
                           bool two_workloads = false)
      : process_(world_), clock_(process_), log_(sink_, clock_), two_workloads_(two_workloads) {
    if (in_place != nullptr) in_place_ = in_place;
    boost::asio::co_spawn(process_.executor(), Main(*this, std::move(loops), std::move(settings)),
                          [](const std::exception_ptr& error) {
                            if (error) std::rethrow_exception(error);
                          });
    EXPECT_TRUE(world_.RunUntil([this] { return ready_; }));
    world_.Advance(std::chrono::seconds(1));  // all kinds are served by now
  }

  void TearDown() override {
    if (!HasFailure()) return;
    for (const std::string& line : sink_.lines()) std::cerr << line << "\n";
    for (const std::string& request : management_->requests) std::cerr << request << "\n";
  }

  static std::unique_ptr<apiserver::EmbeddedServer> Open(ContractFixture& self,
                                                         apiserver::MemoryDisk& disk) {
    return apiserver::EmbeddedServer::Open(
               {.executor = self.process_.executor(),
                .clock = self.clock_,
                .random = self.random_,
                .disk = disk,
                .pki = apiserver::MakePki({}, self.clock_.Now(), self.random_),
                .nodes = std::nullopt})
        .value();
  }

  // The root frame owns all that the process is made of; at the end of a test it crashes.
  static Task<void> Main(ContractFixture& self, MakeLoops loops, Settings settings) {
    const Executor executor = self.process_.executor();
    apiserver::MemoryDisk disk("management");
    apiserver::MemoryDisk workload_disk("workload");
    const auto server = Open(self, disk);
    const auto workload = Open(self, workload_disk);
    (co_await server->Start()).value();
    (co_await workload->Start()).value();
    apiserver::InProcessHttp http(executor, server->handler(), apiserver::TrustedPeer("test"));
    apiserver::InProcessHttp workload_http(executor, workload->handler(),
                                           apiserver::TrustedPeer("test"));
    RecordingHttp recorded(http, self.clock_);
    RecordingHttp recorded_workload(workload_http, self.clock_);
    self.http_ = &http;
    self.workload_http_ = &workload_http;
    self.management_ = &recorded;
    self.workload_ = &recorded_workload;
    co_await Define(self);
    apiserver::MemoryDisk second_disk("second");
    std::unique_ptr<apiserver::EmbeddedServer> second;
    std::optional<apiserver::InProcessHttp> second_http;
    if (self.two_workloads_) {
      second = Open(self, second_disk);
      (co_await second->Start()).value();
      second_http.emplace(executor, second->handler(), apiserver::TrustedPeer("test"));
      self.second_http_ = &*second_http;
    }

    kube::Client client(recorded, "manager");
    FakeDialer dialer(recorded_workload);
    self.dialer_ = &dialer;
    dialer.second = self.second_http_;
    kube::Recorder events(executor, client, self.clock_, {},
                          {.component = "machine-controller", .instance = "test"});
    Surroundings surroundings{.executor = executor,
                              .clock = self.clock_,
                              .random = self.random_,
                              .log = self.log_,
                              .management = client,
                              .events = events,
                              .dialer = dialer,
                              .in_place = *self.in_place_,
                              .settings = std::move(settings)};
    Caches caches(surroundings);
    Externals externals(surroundings, caches);
    RemoteClusters remotes(surroundings, caches);
    self.remotes_ = &remotes;
    self.caches_ = &caches;
    TaskGroup tasks(executor);
    // Loops listen before the caches run.
    tasks.Spawn([&] { return loops({surroundings, caches, externals, remotes, tasks}); });
    tasks.Spawn([&] { return events.Run(); });
    tasks.Spawn([&] { return caches.Run(); });
    if (co_await caches.WaitSynced() == Wake::kCancelled) co_return;
    tasks.Spawn([&] { return externals.Run(); });
    tasks.Spawn([&] { return remotes.Run(); });
    self.ready_ = true;
    co_await UntilCancelled();
  }

  static boost::json::object Definition(const std::string& group, const std::string& kind,
                                        const std::string& version, const std::string& contract) {
    std::string plural = kind + "s";
    std::ranges::transform(plural, plural.begin(), [](unsigned char c) { return std::tolower(c); });
    return boost::json::parse(fmt::format(R"({{"apiVersion":"apiextensions.k8s.io/v1",
        "kind":"CustomResourceDefinition",
        "metadata":{{"name":"{0}.{1}","labels":{{"cluster.x-k8s.io/{4}":"{3}"}}}},
        "spec":{{"group":"{1}","scope":"Namespaced",
          "names":{{"plural":"{0}","kind":"{2}","listKind":"{2}List"}},
          "versions":[{{"name":"{3}","served":true,"storage":true,
            "subresources":{{"status":{{}}}},
            "schema":{{"openAPIV3Schema":{{"type":"object",
              "x-kubernetes-preserve-unknown-fields":true}}}}}}]}}}})",
                                          plural, group, kind, version, contract))
        .as_object();
  }

  static Task<void> Define(ContractFixture& self) {
    std::vector<boost::json::object> definitions = capi::Crds();
    const std::string infrastructure = "infrastructure.cluster.x-k8s.io";
    definitions.push_back(Definition(infrastructure, "DevMachine", "v1beta2", "v1beta2"));
    definitions.push_back(Definition(infrastructure, "DevCluster", "v1beta2", "v1beta2"));
    definitions.push_back(Definition(infrastructure, "OldMachine", "v1beta1", "v1beta1"));
    definitions.push_back(
        Definition("bootstrap.cluster.x-k8s.io", "DevConfig", "v1beta2", "v1beta2"));
    definitions.push_back(
        Definition("controlplane.cluster.x-k8s.io", "DevControlPlane", "v1beta2", "v1beta2"));
    for (const boost::json::object& definition : definitions) {
      const auto answer = co_await self.http_->Send(
          {.method = "POST",
           .target = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
           .headers = {{"Content-Type", "application/json"}},
           .body = boost::json::serialize(definition)});
      EXPECT_EQ(answer.value().status, 201) << answer->body;
    }
    const auto space = co_await self.http_->Send({.method = "POST",
                                                  .target = "/api/v1/namespaces",
                                                  .headers = {{"Content-Type", "application/json"}},
                                                  .body = R"({"metadata":{"name":"ns"}})"});
    EXPECT_EQ(space.value().status, 201);
  }

  // ---- What people and providers do.

  struct Reply {
    int status = 0;
    boost::json::value body;

    std::string At(std::string_view path) const { return std::string(kube::GetString(body, path)); }
    bool Is(std::string_view path, const boost::json::value& value) const {
      const boost::json::value* found = kube::Find(body, path);
      return found != nullptr && *found == value;
    }
    const boost::json::value* Find(std::string_view path) const { return kube::Find(body, path); }
  };

  Reply Ask(net::Http& http, std::string method, std::string target, std::string body) {
    const bool patch = method == "PATCH";
    net::HttpRequest request{
        .method = std::move(method),
        .target = std::move(target),
        .headers = {{"Content-Type", patch ? "application/merge-patch+json" : "application/json"}},
        .body = std::move(body)};
    const auto answer = *RunTask(process_, http.Send(std::move(request)));
    return {answer.value().status, boost::json::parse(answer.value().body)};
  }

  Reply Must(net::Http& http, std::string method, std::string target, std::string body,
             int expected) {
    Reply reply = Ask(http, method, target, std::move(body));
    EXPECT_EQ(reply.status, expected) << method << " " << target << " " << reply.body;
    world_.Settle();
    return reply;
  }

  // Of custom kinds, apiVersion and kind are added.
  Reply Create(const std::string& path, const std::string& body) {
    boost::json::object object = boost::json::parse(body).as_object();
    if (path.starts_with("/apis/") && !object.contains("kind")) {
      const std::size_t spaces = path.find("/namespaces/");
      object["apiVersion"] = path.substr(6, spaces - 6);
      object["kind"] = KindAt(path.substr(path.rfind('/') + 1));
    }
    return Must(*http_, "POST", path, boost::json::serialize(object), 201);
  }
  static std::string KindAt(const std::string& resource) {
    for (const char* kind : {"Cluster", "Machine", "MachineSet", "MachineDeployment",
                             "MachineHealthCheck", "MachineDrainRule", "DevMachine", "DevCluster",
                             "OldMachine", "DevConfig", "DevControlPlane"}) {
      if (capi::Plural(kind) == resource) return kind;
    }
    return "";
  }
  Reply Patch(const std::string& path, std::string body) {
    return Must(*http_, "PATCH", path, std::move(body), 200);
  }
  void Delete(const std::string& path) { Must(*http_, "DELETE", path, "", 200); }
  Reply Get(const std::string& path) { return Ask(*http_, "GET", path, ""); }
  bool Exists(const std::string& path) { return Get(path).status == 200; }

  Reply CreateThere(const std::string& path, std::string body) {
    return Must(*workload_http_, "POST", path, std::move(body), 201);
  }
  Reply PatchThere(const std::string& path, std::string body) {
    return Must(*workload_http_, "PATCH", path, std::move(body), 200);
  }
  void DeleteThere(const std::string& path) {
    Must(*workload_http_, "DELETE", path, R"({"gracePeriodSeconds":0})", 200);
  }
  Reply GetThere(const std::string& path) { return Ask(*workload_http_, "GET", path, ""); }
  bool ExistsThere(const std::string& path) { return GetThere(path).status == 200; }

  // The condition of an object as "Status Reason: message", or "" if there is none.
  static std::string Shown(const Reply& object, std::string_view type) {
    const boost::json::array* all = kube::GetArray(object.body, "status.conditions");
    if (all == nullptr) return "";
    for (const boost::json::value& condition : *all) {
      if (kube::GetString(condition, "type") != type) continue;
      const std::string_view message = kube::GetString(condition, "message");
      return fmt::format("{} {}{}{}", kube::GetString(condition, "status"),
                         kube::GetString(condition, "reason"), message.empty() ? "" : ": ",
                         message);
    }
    return "";
  }

  void Pass(Duration time) { world_.Advance(time); }

  // A cluster whose infrastructure is there and which can be reached.
  void AddCluster(const std::string& name = "c", const std::string& spec = R"({"paused":false})",
                  const std::string& kubeconfig = "good") {
    Create(kCluster, fmt::format(R"({{"metadata":{{"name":"{}"}},"spec":{}}})", name, spec));
    Create(kSecret, fmt::format(R"({{"metadata":{{"name":"{0}-kubeconfig",
               "labels":{{"cluster.x-k8s.io/cluster-name":"{0}"}}}},
               "type":"cluster.x-k8s.io/secret","data":{{"value":"{1}"}}}})",
                                name, EncodeBase64(kubeconfig)));
    MakeReachable(name);
  }

  void MakeReachable(const std::string& name = "c") {
    Patch(fmt::format("{}/{}/status", kCluster, name),
          R"({"status":{"initialization":{"infrastructureProvisioned":true,
             "controlPlaneInitialized":true},"conditions":[
             {"type":"ControlPlaneInitialized","status":"True","reason":"Initialized",
              "message":"","lastTransitionTime":"2026-01-01T00:00:00Z"},
             {"type":"InfrastructureReady","status":"True","reason":"Ready",
              "message":"","lastTransitionTime":"2026-01-01T00:00:00Z"}]}})");
    Pass(std::chrono::seconds(1));
  }

  static std::string MachineBody(const std::string& name, const std::string& metadata = "",
                                 const std::string& spec = "") {
    return fmt::format(R"({{"metadata":{{"name":"{0}"{1}}},"spec":{{"clusterName":"c",
        "bootstrap":{{"configRef":{{"kind":"DevConfig","name":"{0}",
          "apiGroup":"bootstrap.cluster.x-k8s.io"}}}},
        "infrastructureRef":{{"kind":"DevMachine","name":"{0}",
          "apiGroup":"infrastructure.cluster.x-k8s.io"}}{2}}}}})",
                       name, metadata, spec);
  }

  void AddExternals(const std::string& name = "m") {
    Create(kDevMachine, fmt::format(R"({{"metadata":{{"name":"{}","finalizers":["dev/x"]}},
                                        "spec":{{}}}})",
                                    name));
    Create(kDevConfig, fmt::format(R"({{"metadata":{{"name":"{}"}},"spec":{{}}}})", name));
  }

  void FinishBootstrap(const std::string& name = "m", const std::string& secret = "secret-data") {
    Patch(fmt::format("{}/{}/status", kDevConfig, name),
          fmt::format(R"({{"status":{{"initialization":{{"dataSecretCreated":true}},
                          "dataSecretName":"{}"}}}})",
                      secret));
  }

  void FinishInfrastructure(const std::string& name = "m", const std::string& id = "dev:///m") {
    Patch(fmt::format("{}/{}", kDevMachine, name),
          fmt::format(R"({{"spec":{{"providerID":"{}"}}}})", id));
    Patch(fmt::format("{}/{}/status", kDevMachine, name),
          R"({"status":{"initialization":{"provisioned":true}}})");
  }

  // The provider is done with it.
  void LetGo(const std::string& path) { Patch(path, R"({"metadata":{"finalizers":null}})"); }

  void AddNode(const std::string& name = "node", const std::string& id = "dev:///m") {
    CreateThere(kNode, fmt::format(R"({{"metadata":{{"name":"{}"}},
                                       "spec":{{"providerID":"{}"}}}})",
                                   name, id));
    PatchThere(fmt::format("{}/{}/status", kNode, name),
               R"({"status":{"nodeInfo":{"kubeletVersion":"v1.36.0"},"conditions":[
                 {"type":"Ready","status":"True","lastTransitionTime":"2026-01-01T00:00:00Z"},
                 {"type":"MemoryPressure","status":"False"},
                 {"type":"DiskPressure","status":"False"},
                 {"type":"PIDPressure","status":"False"}]}})");
  }

  // A machine that runs on a node, with a control plane machine beside it so that its node counts.
  void AddRunningMachine(const std::string& metadata = "", const std::string& spec = "") {
    Create(kMachine, MachineBody("cp", R"(,"labels":{"cluster.x-k8s.io/control-plane":"",
                                            "cluster.x-k8s.io/control-plane-name":"x"})"));
    AddExternals();
    Create(kMachine, MachineBody("m", metadata, spec));
    FinishBootstrap();
    AddNode();
    FinishInfrastructure();
    Pass(std::chrono::seconds(2));
    ASSERT_EQ(Machine().At("status.nodeRef.name"), "node") << Machine().body;
  }

  Reply Machine(const std::string& name = "m") { return Get(fmt::format("{}/{}", kMachine, name)); }

  void AddPod(const std::string& name, const std::string& metadata = "",
              const std::string& spec = "") {
    CreateThere(kPod, fmt::format(R"({{"metadata":{{"name":"{}"{}}},"spec":{{"nodeName":"node",
        "containers":[{{"name":"c","image":"i:1"}}]{}}}}})",
                                  name, metadata, spec));
    PatchThere(fmt::format("{}/{}/status", kPod, name), R"({"status":{"phase":"Running"}})");
  }

  std::vector<std::string> Events() {
    std::vector<std::string> reasons;
    const Reply all = Get("/api/v1/namespaces/ns/events");
    for (const boost::json::value& event : *kube::GetArray(all.body, "items")) {
      reasons.emplace_back(kube::GetString(event, "reason"));
    }
    return reasons;
  }
  bool HasEvent(const std::string& reason) {
    const auto reasons = Events();
    return std::ranges::find(reasons, reason) != reasons.end();
  }

  VirtualWorld world_;
  VirtualProcess process_;
  VirtualClock clock_;
  SeededRandom random_{1};
  CapturingSink sink_;
  Log log_;
  const bool two_workloads_;
  InPlacePort no_in_place_;
  InPlacePort* in_place_ = &no_in_place_;
  net::Http* http_ = nullptr;           // as somebody else
  net::Http* workload_http_ = nullptr;  // the same, of the other cluster
  net::Http* second_http_ = nullptr;    // and of a third, if there is one
  RecordingHttp* management_ = nullptr;
  RecordingHttp* workload_ = nullptr;
  FakeDialer* dialer_ = nullptr;
  RemoteClusters* remotes_ = nullptr;
  Caches* caches_ = nullptr;
  bool ready_ = false;
};

}  // namespace millwright::controllers::contract
