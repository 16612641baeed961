// Watches over the promises, from the API server's store and the cloud's own history alone: it
// knows nothing of what controllers think.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "apiserver/store/store.h"
#include "providers/simulated/engine.h"

namespace millwright::sim {

// The password of the classes in simulated clusters: it must not be told to anybody.
inline constexpr std::string_view kSecret = "hunter2";

// What the promises are about, read from the stored objects.
struct MachineFacts {
  std::string name;
  std::string uid;
  std::string phase;
  std::string owner_uid;
  std::string provider_id;
  bool deleting = false;
};

struct SetFacts {
  std::string name;
  std::string uid;
  std::string owner_uid;
};

struct DeploymentFacts {
  std::string name;
  std::string uid;
  bool deleting = false;
  int replicas = 0;
  int surge = 0;
  int unavailable = 0;
  std::string strategy;
  std::string template_text;
};

class Auditor {
 public:
  explicit Auditor(const providers::CloudEngine& cloud) : cloud_(cloud) {}

  // After each step of the world. Cheap when nothing changed.
  void Look(const apiserver::Store& store);

  // Something that somebody else found out.
  void Complain(std::string what);

  // At the end, when all is to be gone.
  void ExpectNothingLeft(const apiserver::Store& store);

  const std::vector<std::string>& violations() const { return violations_; }
  std::uint64_t checks() const { return checks_; }

  const std::map<std::string, MachineFacts>& machines() const { return machines_; }
  const std::map<std::string, SetFacts>& sets() const { return sets_; }
  const std::map<std::string, DeploymentFacts>& deployments() const { return deployments_; }

  // Machines in that phase that nobody deletes.
  int Count(std::string_view phase) const;

  // Users break bounds on purpose (they delete machines, scale, kill VMs): bounds are only checked
  // while nobody does.
  void CheckBounds(bool check) { check_bounds_ = check; }

 private:
  void Read(const apiserver::Store& store);
  void CheckCloud();
  void CheckRollouts();

  const providers::CloudEngine& cloud_;
  apiserver::Revision seen_ = -1;
  std::size_t cloud_seen_ = 0;
  std::map<std::string, apiserver::RecordPtr> records_;
  std::map<std::string, MachineFacts> machines_;  // by key
  std::map<std::string, SetFacts> sets_;
  std::map<std::string, DeploymentFacts> deployments_;
  std::set<std::string> ended_;                        // UIDs of machines that were told to go
  std::map<std::string, std::set<std::string>> live_;  // instances by machine UID
  std::map<std::string, int> was_full_;  // the size at which a deployment was all there
  bool check_bounds_ = true;
  std::vector<std::string> violations_;
  std::uint64_t checks_ = 0;
};

}  // namespace millwright::sim
