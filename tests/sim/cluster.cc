#include "tests/sim/cluster.h"

#include <fmt/format.h>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/json.hpp>

#include <stdexcept>

#include "apiserver/server/embedded.h"
#include "controllers/joiner/api_node_joiner.h"
#include "kube/yaml/yaml.h"
#include "providers/simulated/node_life.h"
#include "providers/simulated/simulated.h"
#include "tests/sim/branches.h"
#include "tests/sim/faulty_cloud.h"
#include "tests/sim/process_clock.h"
#include "tests/sim/station.h"

namespace millwright::sim {

namespace json = boost::json;

namespace {

// Handlers in one moment of virtual time that no honest work needs.
constexpr std::uint64_t kHotLoop = 40'000;

// Keys take longer to make than a machine's whole life takes here, so all
// clusters share them.
const apiserver::Pki& SharedPki(WallTime now) {
  static SeededRandom random(1);
  static const apiserver::Pki pki = apiserver::MakePki({}, now, random);
  return pki;
}

}  // namespace

// A process whose root frame owns all that it is made of: destroying it is its
// crash.
class Cluster::ServerProcess {
 public:
  ServerProcess(Cluster& cluster) : cluster_(cluster), process_(*cluster.world_), clock_(process_) {
    boost::asio::co_spawn(process_.executor(), Main(*this), boost::asio::detached);
    cluster.world_->RunUntil([&] { return cluster.place_.handler != nullptr; });
  }
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;
  ~ServerProcess() { cluster_.place_ = {}; }

 private:
  static Task<void> Main(ServerProcess& self) {
    auto server =
        apiserver::EmbeddedServer::Open({.executor = self.process_.executor(),
                                         .clock = self.clock_,
                                         .random = self.cluster_.random_,
                                         .disk = *self.cluster_.disk_,
                                         .pki = SharedPki(self.clock_.Now()),
                                         // The cloud says itself when a node falls silent:
                                         // heartbeats of all nodes would be most of what happens.
                                         .nodes = std::nullopt})
            .value();
    (co_await server->Start()).value();
    self.cluster_.store_ = &server->store();
    self.cluster_.place_ = {&self.process_, &server->handler()};
    co_await UntilCancelled();
  }

  Cluster& cluster_;
  VirtualProcess process_;
  VirtualClock clock_;
};

class Cluster::CloudProcess {
 public:
  explicit CloudProcess(Cluster& cluster)
      : wire_(*cluster.cloud_process_, cluster.place_, apiserver::TrustedPeer("cloud")),
        client_(wire_, "cloud"),
        joiner_(cluster.cloud_process_->executor(), client_, *cluster.cloud_clock_),
        life_(*cluster.engine_, joiner_, *cluster.cloud_clock_,
              cluster.cloud_process_->executor()) {
    boost::asio::co_spawn(cluster.cloud_process_->executor(), life_.Run(), boost::asio::detached);
  }

  Wire& wire() { return wire_; }

 private:
  Wire wire_;
  kube::Client client_;
  controllers::ApiNodeJoiner joiner_;
  providers::NodeLife life_;
};

class Cluster::ControllerProcess {
 public:
  ControllerProcess(Cluster& cluster, std::size_t number)
      : cluster_(cluster),
        number_(number),
        process_(*cluster.world_),
        clock_(process_),
        random_(cluster.random_.Next()),
        log_(cluster.sink_, clock_,
             ParseLevels(cluster.options_.record_log ? "debug" : "error").value()) {
    boost::asio::co_spawn(process_.executor(), Main(*this), boost::asio::detached);
  }
  ControllerProcess(const ControllerProcess&) = delete;
  ControllerProcess& operator=(const ControllerProcess&) = delete;

  // Null until it has begun.
  Wire* wire() { return wire_; }
  std::uint64_t handlers() const { return process_.handlers(); }

  void Pause(bool pause) {
    clock_.Pause(pause);
    if (wire_ != nullptr) wire_->Pause(pause);
  }

  void Suffer(const Ailments& ailments) {
    clock_.Skew(ailments.skew);
    if (wire_ == nullptr) return;
    wire_->RepeatEvents(ailments.repeated);
    wire_->MergeHeld(ailments.merged);
    wire_->ListAsOf(ailments.stale);
    wire_->HoldStreams(ailments.held || ailments.stale > 0);
  }

 private:
  static Task<void> Main(ControllerProcess& self) {
    Cluster& cluster = self.cluster_;
    const Mutant* mutant = cluster.options_.mutant;
    Wire wire(
        self.process_, cluster.place_, apiserver::TrustedPeer("millwright"),
        [&self](const net::HttpRequest& request) {
          return self.cluster_.Meddle(self.number_, request);
        },
        mutant != nullptr ? mutant->request : nullptr);
    self.wire_ = &wire;
    self.Suffer(cluster.ailments_);
    kube::Client client(wire, "millwright");
    providers::SimulatedCloud cloud(*cluster.engine_, self.clock_, "sim");
    FaultyCloud faulty(
        cloud,
        [&self](const FaultyCall& call) {
          return self.cluster_.MeddleWithCloud(self.number_, call);
        },
        mutant, [&cluster] { return cluster.engine_->calls(providers::CallKind::kCreate); });
    providers::CloudRegistry clouds;
    clouds.Add("simulated", faulty);
    Station station{.executor = self.process_.executor(),
                    .clock = self.clock_,
                    .random = self.random_,
                    .log = self.log_,
                    .http = wire,
                    .client = client,
                    .clouds = clouds,
                    .settings = cluster.options_.settings,
                    .mutant = mutant};
    co_await cluster.words().run(station);
  }

  Cluster& cluster_;
  const std::size_t number_;
  VirtualProcess process_;
  ProcessClock clock_;
  SeededRandom random_;
  Log log_;
  Wire* wire_ = nullptr;
};

Cluster::Cluster(Options options)
    : options_(std::move(options)),
      order_(options_.seed),
      chance_(options_.seed + 2),
      random_(options_.seed + 1),
      world_(options_.random_order ? std::make_unique<VirtualWorld>(order_)
                                   : std::make_unique<VirtualWorld>()),
      disk_(std::make_unique<apiserver::MemoryDisk>("sim")),
      server_(std::make_unique<ServerProcess>(*this)),
      cloud_process_(std::make_unique<VirtualProcess>(*world_)),
      cloud_clock_(std::make_unique<VirtualClock>(*cloud_process_)),
      engine_(std::make_unique<providers::CloudEngine>(*cloud_clock_, random_, options_.cloud)),
      cloud_(std::make_unique<CloudProcess>(*this)),
      user_process_(std::make_unique<VirtualProcess>(*world_)),
      user_(std::make_unique<Wire>(*user_process_, place_, apiserver::TrustedPeer("user"))),
      auditor_(*engine_, *options_.words, options_.settings.drain) {}

Cluster::~Cluster() {
  for (auto& process : controllers_) process.reset();
  cloud_process_.reset();
  user_process_.reset();
  server_.reset();
}

void Cluster::StartControllers() {
  restart_at_.reset();
  handled_ = 0;
  controllers_[kFirst] = std::make_unique<ControllerProcess>(*this, kFirst);
}

void Cluster::CrashControllers() { Crash(kFirst); }

void Cluster::Crash(std::size_t process) {
  ++crashes_;
  crash_due_.reset();
  controllers_.at(process).reset();
}

void Cluster::StartRival() {
  controllers_[kRival] = std::make_unique<ControllerProcess>(*this, kRival);
}

void Cluster::EndRival() { controllers_[kRival].reset(); }

void Cluster::PauseControllers(bool pause) {
  if (controllers_[kFirst]) controllers_[kFirst]->Pause(pause);
}

void Cluster::Afflict() {
  for (auto& process : controllers_) {
    if (process) process->Suffer(ailments_);
  }
}

void Cluster::SkewControllers(Duration skew) {
  ailments_.skew = skew;
  Afflict();
}

void Cluster::HoldWatches(bool hold) {
  ailments_.held = hold;
  Afflict();
}

void Cluster::MergeWatches(bool merge) {
  if (merge) ailments_.merged = true;
  HoldWatches(merge);
  ailments_.merged = merge;
  Afflict();
}

void Cluster::RepeatWatches(bool repeat) {
  ailments_.repeated = repeat;
  Afflict();
}

void Cluster::RestartWithStaleView(apiserver::Revision revision) {
  Crash(kFirst);
  ailments_.stale = std::max(revision, store_->compacted());
  StartControllers();
}

void Cluster::EndStaleView() {
  ailments_.stale = 0;
  Afflict();
}

void Cluster::TakeServerAway() {
  if (away_) return;
  away_ = std::exchange(place_, {});
  for (auto& process : controllers_) {
    if (process && process->wire() != nullptr) process->wire()->CutAll();
  }
  cloud_->wire().CutAll();
}

void Cluster::BringServerBack(bool compacted) {
  if (!away_) return;
  if (compacted) {
    auditor_.Look(*store_, world_->Elapsed());
    (void)RunTask(*away_->process, store_->Compact(store_->revision()));
  }
  place_ = *std::exchange(away_, {});
}

void Cluster::ForgetHistory() {
  if (away_) return;
  auditor_.Look(*store_, world_->Elapsed());
  (void)RunTask(*place_.process, store_->Compact(store_->revision()));
  for (auto& process : controllers_) {
    if (process && process->wire() != nullptr) process->wire()->CutStreams();
  }
}

WireFault Cluster::Dying(std::size_t process, bool after) {
  return {.kind = after ? WireFault::Kind::kHangAfter : WireFault::Kind::kHang,
          .hung = [this, process] { crash_due_ = process; }};
}

// Whether chance strikes. Every draw has a number, so that a replay can take
// single ones back.
bool Cluster::Chance(int thousandths, std::string_view what, std::string_view where) {
  if (thousandths <= 0) return false;
  const std::uint64_t draw = draws_++;
  if (chance_.Below(1000) >= static_cast<std::uint64_t>(thousandths)) return false;
  if (options_.faults.only && !options_.faults.only->contains(draw)) return false;
  luck_.push_back({.draw = draw, .what = fmt::format("{} {}", what, where)});
  return true;
}

// Whether the process dies at this point.
std::optional<WireFault> Cluster::CrashHere(std::size_t process) {
  const int point = point_++;
  const FaultPlan& plan = options_.faults;
  for (const bool after : {false, true}) {
    if (plan.crashes.contains({point, after})) return Dying(process, after);
  }
  if (plan.branches != nullptr) {
    const Branches::Turn turn = plan.branches->AtPoint(point);
    if (turn != Branches::Turn::kGoOn) return Dying(process, turn == Branches::Turn::kAfter);
  }
  const bool after = point % 2 == 0;
  if (Chance(plan.chances.crash, after ? "crash after" : "crash before",
             fmt::format("point {}", point))) {
    return Dying(process, after);
  }
  return std::nullopt;
}

WireFault Cluster::Meddle(std::size_t process, const net::HttpRequest& request) {
  using Kind = WireFault::Kind;
  const Chances& chances = options_.faults.chances;
  const std::string path = request.target.substr(0, request.target.find('?'));
  const std::string what = request.method + " " + path;
  if (!request.target.contains("watch=true")) {
    auditor_.OnRequest(request, world_->Elapsed());
  }
  if (Chance(chances.cut_streams, "cut watches before", what) && controllers_.at(process) &&
      controllers_.at(process)->wire() != nullptr) {
    controllers_.at(process)->wire()->CutStreams();
  }
  if (request.method != "GET") {
    writes_.push_back(what);
    if (auto crash = CrashHere(process)) return *crash;
    if (Chance(chances.answer_lost, "answer lost of", what)) return {.kind = Kind::kAnswerLost};
    if (Chance(chances.conflict, "conflict at", what)) {
      return {.kind = Kind::kStatus, .status = 409};
    }
  }
  if (Chance(chances.refused, "refused", what)) return {.kind = Kind::kRefused};
  if (Chance(chances.throttled, "429 to", what)) {
    return {.kind = Kind::kStatus, .status = 429, .retry_after = chances.varied ? "3" : ""};
  }
  if (Chance(chances.server_error, "server error to", what)) {
    constexpr std::array kStatuses = {500, 502, 503, 504};
    return {.kind = Kind::kStatus, .status = chances.varied ? kStatuses.at(draws_ % 4) : 500};
  }
  if (Chance(chances.slow, "slow answer to", what)) {
    return {.kind = Kind::kSlow, .delay = std::chrono::seconds(10)};
  }
  return {};
}

WireFault Cluster::MeddleWithCloud(std::size_t process, const FaultyCall& call) {
  using Kind = WireFault::Kind;
  if (!call.machine.empty()) calls_.push_back(fmt::format("{} {}", call.name, call.machine));
  auditor_.OnCall(call.name, call.machine, world_->Elapsed());
  const Chances& chances = options_.faults.chances;
  if (auto crash = CrashHere(process)) return *crash;
  if (Chance(chances.cloud_fails, "cloud call failed")) return {.kind = Kind::kRefused};
  if (Chance(chances.cloud_answer_lost, "answer of the cloud lost")) {
    return {.kind = Kind::kAnswerLost};
  }
  return {};
}

Cluster::Reply Cluster::Ask(std::string method, std::string target, std::string body,
                            std::string content_type) {
  net::HttpRequest request{.method = std::move(method),
                           .target = std::move(target),
                           .headers = {{"Content-Type", std::move(content_type)}},
                           .body = std::move(body)};
  const auto answer = RunTask(*user_process_, user_->Send(std::move(request)));
  if (!answer || !*answer) throw std::runtime_error("the API server did not answer");
  return {(*answer)->status, json::parse((*answer)->body)};
}

namespace {

// Where objects of a kind live. Only those that tests create.
std::string PathOf(const json::value& object) {
  const std::string kind(object.at("kind").as_string());
  const std::string version(object.at("apiVersion").as_string());
  std::string plural = kind;
  for (char& c : plural) c = static_cast<char>(std::tolower(c));
  plural += plural.ends_with('s') ? "es" : "s";
  const bool cluster_wide = kind == "CustomResourceDefinition" || kind == "Node" ||
                            kind == "PersistentVolume" || kind == "VolumeAttachment";
  const std::string root = version.contains('/') ? "/apis/" + version : "/api/" + version;
  if (cluster_wide) return root + "/" + plural;
  const json::value* name_space = object.at("metadata").as_object().if_contains("namespace");
  return fmt::format("{}/namespaces/{}/{}", root,
                     name_space != nullptr ? std::string(name_space->as_string()) : "default",
                     plural);
}

}  // namespace

void Cluster::InstallKinds() {
  for (const json::object& crd : words().definitions()) {
    Ask("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", json::serialize(crd));
  }
  world_->Advance(std::chrono::seconds(1));
}

void Cluster::Apply(std::string_view yaml) {
  const auto documents = kube::ParseYamlDocuments(yaml, "test").value();
  for (const json::value& document : documents) {
    const Reply reply = Ask("POST", PathOf(document), json::serialize(document));
    if (reply.status >= 300) throw std::runtime_error(json::serialize(reply.body));
  }
}

json::value Cluster::Get(const std::string& target) { return Ask("GET", target).body; }

std::vector<json::value> Cluster::List(const std::string& target) {
  const json::value list = Get(target);
  const json::value* items = list.as_object().if_contains("items");
  if (items == nullptr) throw std::runtime_error(json::serialize(list));
  return {items->as_array().begin(), items->as_array().end()};
}

// Whether controllers did something since we looked last.
bool Cluster::CountStep() {
  const std::uint64_t handled = controllers_[kFirst] ? controllers_[kFirst]->handlers() : 0;
  if (std::exchange(handled_, handled) == handled) return false;
  ++steps_;
  return true;
}

bool Cluster::CrashesAtStep() const {
  const FaultPlan& plan = options_.faults;
  return plan.crash_steps.contains(steps_) ||
         (plan.branches != nullptr && plan.branches->CrashesAtStep(steps_));
}

// Whether handlers run and no time passes.
bool Cluster::IsHot() {
  steps_at_moment_ = world_->Elapsed() == moment_ ? steps_at_moment_ + 1 : 0;
  moment_ = world_->Elapsed();
  return steps_at_moment_ > kHotLoop;
}

// After each handler and each move of time: the auditor looks, and a crash that
// is due happens before anything else does.
bool Cluster::Until(const std::function<bool()>& condition, Duration limit) {
  const SteadyTime end = world_->Elapsed() + limit;
  for (;;) {
    if (restart_at_ && *restart_at_ <= world_->Elapsed()) StartControllers();
    const SteadyTime stop = restart_at_ ? std::min(*restart_at_, end) : end;
    bool holds = false;
    const auto look = [&] {
      const bool acted = CountStep();
      if (IsHot()) {
        auditor_.Complain("a hot loop: nothing but handlers runs, and no time passes");
        return true;
      }
      auditor_.Look(*store_, world_->Elapsed());
      if (acted && CrashesAtStep()) crash_due_ = kFirst;
      holds = condition();
      return holds || crash_due_.has_value();
    };
    const bool stopped = world_->RunUntil(look, stop - world_->Elapsed());
    if (steps_at_moment_ > kHotLoop) {
      Crash(kRival);  // for good: they would only go on
      Crash(kFirst);
      steps_at_moment_ = 0;
      return false;
    }
    if (crash_due_) {
      if (crash_due_ == kFirst) restart_at_ = world_->Elapsed() + options_.faults.restart_after;
      Crash(*crash_due_);
    } else if (holds) {
      return true;
    } else if (!stopped) {
      if (world_->Elapsed() < stop) world_->Advance(stop - world_->Elapsed());
      if (!restart_at_ || stop == end) return condition();
    }
  }
}

void Cluster::Pass(Duration duration) {
  Until([] { return false; }, duration);
}

}  // namespace millwright::sim
