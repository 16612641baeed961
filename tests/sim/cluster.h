// A whole cluster in virtual time: the embedded API server, a cloud, and the
// real controllers, each a process of its own that can crash.
#pragma once

#include <boost/json/value.hpp>

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apiserver/auth/pki/pki.h"
#include "apiserver/store/memory_disk.h"
#include "base/log.h"
#include "base/log_capture.h"
#include "base/virtual/world.h"
#include "controllers/shared/surroundings.h"
#include "providers/simulated/engine.h"
#include "tests/sim/auditor.h"
#include "tests/sim/fault_plan.h"
#include "tests/sim/mutants.h"
#include "tests/sim/wire.h"
#include "tests/sim/words.h"

namespace millwright::sim {

struct FaultyCall;

class Cluster {
 public:
  struct Options {
    std::uint64_t seed = 1;
    bool random_order = false;  // of ready handlers, by the seed; else first come, first served
    providers::EngineOptions cloud;
    controllers::Settings settings;
    FaultPlan faults;
    const Words* words = &GardenerWords();
    const Mutant* mutant = nullptr;  // a planted bug
    bool record_log = true;
  };

  Cluster() : Cluster(Options{}) {}
  explicit Cluster(Options options);
  ~Cluster();
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  VirtualWorld& world() { return *world_; }
  providers::CloudEngine& cloud() { return *engine_; }
  const CapturingSink& log() const { return sink_; }

  const Words& words() const { return *options_.words; }

  void StartControllers();
  void CrashControllers();
  // They start again by themselves after a crash that the plan of faults asked
  // for.
  int crashes() const { return crashes_; }

  // A second process that believes that it leads, beside the first.
  void StartRival();
  void EndRival();
  // The first one is stopped, and goes on later as if nothing had been.
  void PauseControllers(bool pause);
  // The calendar of the controllers is wrong by that much.
  void SkewControllers(Duration skew);
  // What watches say comes later, or later and merged, or twice.
  void HoldWatches(bool hold);
  void MergeWatches(bool merge);
  void RepeatWatches(bool repeat);
  // The first one crashes, and its successor lists what there was at that
  // revision; its watches say nothing until EndStaleView.
  void RestartWithStaleView(apiserver::Revision revision);
  void EndStaleView();
  // Nobody reaches the API server. When it is back its history may be gone:
  // watches must list anew.
  void TakeServerAway();
  void BringServerBack(bool compacted);
  // All watches are cut, and what they saw last is no longer known to the server.
  void ForgetHistory();
  bool server_is_away() const { return away_.has_value(); }

  // No more faults from now on.
  void EndFaults() { options_.faults = {}; }
  void SetFaults(FaultPlan faults) { options_.faults = std::move(faults); }
  FaultPlan& faults() { return options_.faults; }

  // What chance did, by the number of its draw.
  struct Luck {
    std::uint64_t draw = 0;
    std::string what;
  };
  const std::vector<Luck>& luck() const { return luck_; }

  // Points passed so far at which a plan could have asked for a crash.
  int points() const { return point_; }
  // Handlers that the first process of controllers has run so far, restarts included: it may die
  // behind any of them. Those that ran while a user waited for an answer count as one.
  std::uint64_t steps() const { return steps_; }

  Auditor& auditor() { return auditor_; }
  apiserver::Store& store() const { return *store_; }

  // The user: one request, run to its answer.
  struct Reply {
    int status = 0;
    boost::json::value body;
  };
  Reply Ask(std::string method, std::string target, std::string body = {},
            std::string content_type = "application/json");
  // The kinds of the dialect, served.
  void InstallKinds();
  // Creates every document of a YAML text; fails loudly.
  void Apply(std::string_view yaml);
  boost::json::value Get(const std::string& target);
  std::vector<boost::json::value> List(const std::string& target);

  // Goes on until the condition holds, which is looked at after each step;
  // false if it does not within that time. The auditor looks at each step too.
  bool Until(const std::function<bool()>& condition, Duration limit = std::chrono::hours(1));
  // So much time passes.
  void Pass(Duration duration);

  // The network as somebody else has it.
  const ServerPlace& server_place() const { return place_; }

  // Writes that the controllers sent, as "METHOD path".
  const std::vector<std::string>& writes() const { return writes_; }
  // Calls of the cloud about single machines; lists are sweeps, which somebody asked for.
  const std::vector<std::string>& calls() const { return calls_; }
  void ForgetWrites() {
    writes_.clear();
    calls_.clear();
  }

 private:
  class ServerProcess;
  class CloudProcess;
  class ControllerProcess;

  // Processes of controllers: the first, and its rival.
  static constexpr std::size_t kFirst = 0;
  static constexpr std::size_t kRival = 1;

  // What all processes of controllers suffer from, also those that start later.
  struct Ailments {
    Duration skew{};
    bool held = false;
    bool merged = false;
    bool repeated = false;
    apiserver::Revision stale = 0;
  };

  // What happens to a request or a call of a process, by the plan of faults.
  WireFault Meddle(std::size_t process, const net::HttpRequest& request);
  WireFault MeddleWithCloud(std::size_t process, const FaultyCall& call);
  std::optional<WireFault> CrashHere(std::size_t process);
  WireFault Dying(std::size_t process, bool after);
  bool Chance(int thousandths, std::string_view what, std::string_view where = "");
  void Crash(std::size_t process);
  void Afflict();
  bool CountStep();
  bool CrashesAtStep() const;
  bool IsHot();

  Options options_;
  SeededRandom order_;
  SeededRandom chance_;
  SeededRandom random_;
  std::unique_ptr<VirtualWorld> world_;
  CapturingSink sink_;
  ServerPlace place_;
  apiserver::Store* store_ = nullptr;
  std::unique_ptr<apiserver::MemoryDisk> disk_;
  std::unique_ptr<ServerProcess> server_;
  std::unique_ptr<VirtualProcess> cloud_process_;
  std::unique_ptr<VirtualClock> cloud_clock_;
  std::unique_ptr<providers::CloudEngine> engine_;
  std::unique_ptr<CloudProcess> cloud_;
  std::unique_ptr<VirtualProcess> user_process_;
  std::unique_ptr<Wire> user_;
  std::vector<std::string> writes_;
  std::vector<std::string> calls_;
  Auditor auditor_;
  int point_ = 0;
  std::uint64_t steps_ = 0;
  std::uint64_t handled_ = 0;  // by the first process as it is now
  SteadyTime moment_{};
  std::uint64_t steps_at_moment_ = 0;
  int crashes_ = 0;
  std::uint64_t draws_ = 0;
  std::vector<Luck> luck_;
  Ailments ailments_;
  std::optional<ServerPlace> away_;  // where the server is to be again
  std::optional<std::size_t> crash_due_;
  std::optional<SteadyTime> restart_at_;
  std::array<std::unique_ptr<ControllerProcess>, 2> controllers_;
};

}  // namespace millwright::sim
