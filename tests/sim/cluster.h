// A whole cluster in virtual time: the embedded API server, a cloud, and the real controllers, each
// a process of its own that can crash.
#pragma once

#include <boost/json/value.hpp>

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

namespace millwright::sim {

class Cluster {
 public:
  struct Options {
    std::uint64_t seed = 1;
    bool random_order = false;  // of ready handlers, by the seed; else first come, first served
    providers::EngineOptions cloud;
    controllers::Settings settings;
    FaultPlan faults;
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

  void StartControllers();
  void CrashControllers();
  // They start again by themselves after a crash that the plan of faults asked for.
  int crashes() const { return crashes_; }
  // No more faults from now on.
  void EndFaults() { options_.faults = {}; }
  void SetFaults(FaultPlan faults) { options_.faults = std::move(faults); }

  // Points passed so far at which a plan could have asked for a crash.
  int points() const { return point_; }
  // Handlers run so far, of all processes.
  std::uint64_t steps() const { return steps_; }

  Auditor& auditor() { return auditor_; }
  const apiserver::Store& store() const { return *store_; }

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

  // Goes on until the condition holds, which is looked at after each step; false if it does not
  // within that time. The auditor looks at each step too.
  bool Until(const std::function<bool()>& condition, Duration limit = std::chrono::hours(1));
  // So much time passes.
  void Pass(Duration duration);

  // Writes that the controllers sent, as "METHOD path".
  const std::vector<std::string>& writes() const { return writes_; }
  void ForgetWrites() { writes_.clear(); }

 private:
  class ServerProcess;
  class CloudProcess;
  class ControllerProcess;

  // What happens to a request or a call, by the plan of faults.
  WireFault Meddle(const net::HttpRequest& request);
  WireFault MeddleWithCloud(std::string_view call);
  std::optional<WireFault> CrashHere();
  WireFault Dying(bool after);
  bool Chance(int thousandths) {
    return thousandths > 0 && chance_.Below(1000) < static_cast<std::uint64_t>(thousandths);
  }

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
  Auditor auditor_;
  int point_ = 0;
  std::uint64_t steps_ = 0;
  SteadyTime moment_{};
  std::uint64_t steps_at_moment_ = 0;
  int crashes_ = 0;
  bool crash_due_ = false;
  std::optional<SteadyTime> restart_at_;
  std::unique_ptr<ControllerProcess> controllers_;
};

}  // namespace millwright::sim
