// Watches over the promises, from the API server's store and the cloud's own
// history alone: it knows nothing of what controllers think.
#pragma once

#include <boost/json/value.hpp>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "apiserver/store/store.h"
#include "net/http.h"
#include "providers/simulated/engine.h"
#include "tests/sim/facts.h"
#include "tests/sim/request_limits.h"
#include "tests/sim/words.h"

namespace millwright::sim {

// Names of what somebody else wrote into objects begin so; controllers must
// leave it alone.
inline constexpr std::string_view kForeign = "example.com/";

class Auditor {
 public:
  Auditor(providers::CloudEngine& cloud, const Words& words, Duration drain_limit)
      : cloud_(cloud), words_(words), drain_limit_(drain_limit) {}

  // After each step of the world. Cheap when nothing changed.
  void Look(apiserver::Store& store, SteadyTime now);

  // A request that controllers send, and a call of the cloud.
  void OnRequest(const net::HttpRequest& request, SteadyTime now);
  void OnCall(std::string_view call, std::string_view machine, SteadyTime now);

  // Something that somebody else found out.
  void Complain(std::string what);

  // At the end, when all is to be gone.
  void ExpectNothingLeft(apiserver::Store& store, SteadyTime now);

  const std::vector<std::string>& violations() const { return violations_; }
  // What machines join with: it must not be told to anybody either.
  const std::set<std::string>& tokens() const { return tokens_; }
  std::uint64_t checks() const { return checks_; }

  const std::map<std::string, MachineFacts>& machines() const { return machines_; }
  const std::map<std::string, SetFacts>& sets() const { return sets_; }
  const std::map<std::string, DeploymentFacts>& deployments() const { return deployments_; }

  // Machines that run and that nobody deletes.
  int Running() const;
  // Whether that is true: each has a VM that is switched on and a ready node, and no other VM
  // lives.
  bool IsTrueOfTheCloud() const;

  // Users break bounds on purpose (they delete machines, scale, kill VMs):
  // bounds are only checked while nobody does.
  void CheckBounds(bool check) { check_least_ = check_most_ = check; }
  // The upper one holds whatever becomes of machines, as long as nobody wishes for fewer.
  void CheckMost(bool check) { check_most_ = check; }
  // A calendar that jumps makes limits of time pass sooner.
  void TrustTime(bool trust) { trust_time_ = trust; }

 private:
  struct PodFacts {
    std::string node;
    bool ready = false;
    bool deleting = false;
  };

  void Follow(apiserver::Store& store);
  void Reread(apiserver::Store& store);
  void Apply(const apiserver::RecordPtr& record);
  void Note(const std::string& key, const boost::json::value& object);
  void Forget(const std::string& key);
  void CheckMarks(const std::string& key, const std::string& text,
                  const boost::json::value& object);
  void CheckCloud();
  void CheckBegin(const providers::CloudEvent& event);
  void CheckEnd(const providers::CloudEvent& event);
  void CheckRollouts();
  void CheckAvailable(const DeploymentFacts& deployment, int total, int available);
  static std::string NodeOf(const MachineFacts& machine);
  bool IsHandedDown(const std::string& mark) const;
  bool IsPart(std::string_view key) const;
  bool IsAnybodysNode(const std::string& text) const;
  void NoteToken(const std::string& text);
  bool TellsASecret(const std::string& text) const;
  std::string MachineOf(const std::string& uid) const;
  // Pods of that node may go without being asked: its time is over, or it is
  // dead.
  bool MayForce(const std::string& node) const;
  void CheckHealth(const MachineFacts& machine, bool ran_before);
  void NoteNode(const std::string& name, bool ready);

  providers::CloudEngine& cloud_;
  const Words& words_;
  const Duration drain_limit_;
  SteadyTime now_{};
  apiserver::Revision seen_ = -1;
  std::optional<apiserver::Watcher> watcher_;
  std::size_t cloud_seen_ = 0;
  // By key of the store.
  std::map<std::string, MachineFacts> machines_;
  std::map<std::string, SetFacts> sets_;
  std::map<std::string, DeploymentFacts> deployments_;
  std::map<std::string, InstanceFacts> instances_;
  std::map<std::string, PodFacts> pods_;
  std::map<std::string, bool> ready_nodes_;             // by name
  std::map<std::string, std::set<std::string>> marks_;  // what others wrote
  std::map<std::string, SteadyTime> going_since_;       // machines, by UID
  std::map<std::string, std::set<std::string>> live_;   // instances by machine UID
  std::set<std::string> halted_;                        // instances
  std::set<std::string> destroyed_;                     // instances, from outside
  std::set<std::string> recorded_;                      // instances that a machine named once
  std::set<std::string> well_;  // machines whose node has been ready ever since they run, by UID
  std::map<std::string, std::string> machine_of_;  // UIDs of instances' objects and machines
  std::set<std::string> tokens_;                   // that there were
  std::map<std::string, int> was_full_;            // the size at which a deployment was all there
  RequestLimits requests_;
  bool check_least_ = true;
  bool check_most_ = true;
  bool trust_time_ = true;
  std::vector<std::string> violations_;
  std::uint64_t checks_ = 0;
};

}  // namespace millwright::sim
