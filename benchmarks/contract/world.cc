#include "benchmarks/contract/world.h"

#include <boost/json.hpp>

#include "controllers/supply/kinds.h"
#include "dialects/capi/schema.h"

namespace millwright::benchmarks {

namespace contract = controllers::contract;

namespace {

class Connection final : public contract::RemoteConnection {
 public:
  explicit Connection(net::Http& http) : http_(http), client_(http, "manager") {}
  kube::Client& client() override { return client_; }
  net::Http& http() override { return http_; }

 private:
  net::Http& http_;
  kube::Client client_;
};

}  // namespace

Plane::Plane(const Process& process, const apiserver::Pki& pki, RequestCounts& counts)
    : disk_("scale"),
      server_(apiserver::EmbeddedServer::Open({.executor = process.executor,
                                               .clock = process.clock,
                                               .random = process.random,
                                               .disk = disk_,
                                               .pki = pki,
                                               .nodes = std::nullopt})
                  .value()),
      inner_(process.executor, server_->handler(), apiserver::TrustedPeer("scale")),
      counted_(inner_, counts),
      client_(counted_, "manager"),
      others_(inner_, "others") {}

Task<void> Plane::Close() {
  co_await inner_.Close();
  co_await server_->Close();
}

Task<Result<void>> Workloads::Start(int count, const apiserver::Pki& pki) {
  for (int i = 0; i < count; ++i) {
    auto workload = std::make_unique<Workload>(process_, pki, counts_);
    CO_CHECK(co_await workload->plane.Start());
    all_.push_back(std::move(workload));
  }
  co_return Ok();
}

Task<void> Workloads::Close() {
  for (const auto& workload : all_) co_await workload->plane.Close();
}

Workloads::Workload* Workloads::Of(const std::string& name) {
  const std::size_t number = std::strtoul(name.c_str() + 1, nullptr, 10);
  return name.starts_with("c") && number < all_.size() ? all_[number].get() : nullptr;
}

Result<std::unique_ptr<contract::RemoteConnection>> Workloads::Dial(const std::string& kubeconfig) {
  Workload* workload = Of(kubeconfig);
  if (workload == nullptr) return Fail(ErrorKind::kInvalid, "no such cluster: " + kubeconfig);
  return std::make_unique<Connection>(workload->plane.http());
}

Task<Result<void>> Workloads::Join(Node node) { return Of(node.name)->joiner.Join(node); }

Task<Result<void>> Workloads::SetReady(std::string name, bool ready, std::string reason) {
  return Of(name)->joiner.SetReady(name, ready, reason);
}

Loops::Loops(const Process& process, kube::Client& management, Workloads& workloads,
             const providers::CloudRegistry& clouds)
    : events_(process.executor, management, process.clock, process.log.For("events"),
              {.component = "scale"}),
      surroundings_{.executor = process.executor,
                    .clock = process.clock,
                    .random = process.random,
                    .log = process.log,
                    .management = management,
                    .events = events_,
                    .dialer = workloads,
                    .in_place = in_place_,
                    .settings = {}},
      controllers_(surroundings_),
      supply_(surroundings_, controllers_.caches(), controllers_.externals(),
              controllers_.remotes(), clouds),
      tasks_(process.executor) {}

void Loops::Run() {
  tasks_.Spawn([this] { return events_.Run(); });
  tasks_.Spawn([this] { return controllers_.RunCaches(); });
  tasks_.Spawn([this] { return supply_.RunCaches(); });
  tasks_.Spawn([this] { return controllers_.RunLoops(); });
  tasks_.Spawn([this] { return supply_.RunLoops(); });
}

Task<void> Loops::Close() {
  tasks_.Cancel();
  co_await tasks_.Join();
}

World::World(const Process& process)
    : process_(process),
      pki_(apiserver::MakePki({}, process.clock.Now(), process.random)),
      management_(std::make_unique<Plane>(process, pki_, counts)),
      workloads_(process, workload_counts),
      engine_(process.clock, process.random),
      cloud_(engine_, process.clock),
      nodes_(engine_, workloads_, process.clock, process.executor),
      tasks_(process.executor) {
  registry_.Add("simulated", cloud_);
  loops_ = MakeSecond();
}

std::unique_ptr<Loops> World::MakeSecond() {
  return std::make_unique<Loops>(process_, management_->client(), workloads_, registry_);
}

Task<Result<void>> World::Start(int clusters) {
  CO_CHECK(co_await management_->Start());
  std::vector<boost::json::object> definitions = dialects::capi::Crds();
  for (boost::json::object& crd : controllers::supply::Crds()) definitions.push_back(crd);
  for (const boost::json::object& crd : definitions) {
    const std::string name(crd.at("metadata").at("name").as_string());
    CO_CHECK(co_await management_->uncounted().Apply(contract::kDefinitions, {"", name},
                                                     boost::json::serialize(crd), {.force = true}));
  }
  CO_CHECK(co_await workloads_.Start(clusters, pki_));
  co_await SleepFor(process_.clock, std::chrono::seconds(1));  // until all kinds are served
  co_return Ok();
}

void World::Run() {
  tasks_.Spawn([this] { return nodes_.Run(); });
  loops_->Run();
}

Task<void> World::Close() {
  co_await loops_->Close();
  tasks_.Cancel();
  co_await tasks_.Join();
  co_await workloads_.Close();
  co_await management_->Close();
}

}  // namespace millwright::benchmarks
