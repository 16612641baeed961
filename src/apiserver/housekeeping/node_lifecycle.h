// Nodes that fall silent are marked so, and tainted; their pods are not ready any more, and leave
// when they no longer tolerate it.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include <boost/json/value.hpp>

#include "apiserver/housekeeping/deadlines.h"
#include "apiserver/housekeeping/node_health.h"
#include "apiserver/housekeeping/self.h"
#include "base/log.h"

namespace millwright::apiserver {

// As kube-controller-manager's.
struct NodeLimits {
  Duration grace = std::chrono::seconds(50);          // of a node that has said something before
  Duration startup_grace = std::chrono::seconds(60);  // of one that has not yet
};

// Driven by what is written, and by one deadline for each node: a healthy node costs a look at each
// of its heartbeats, and nothing else.
class NodeLifecycle {
 public:
  NodeLifecycle(const Services& services, NodeLimits limits = {}, Logger log = {})
      : services_(services), limits_(limits), log_(log) {}

  // Until it is cancelled.
  Task<void> Run();

 private:
  struct Known {
    std::string heartbeat;
    std::string ready;
    SteadyTime last_sign;  // by our own clock: those of others may be wrong
    std::vector<Taint> taints;
  };

  Result<Revision> LookAtAll();
  // False if changes were missed.
  bool TakeNews(Watcher& watcher);
  void Note(const Change& change);
  void NoteNode(const Record& record);
  void NoteLease(const Change& change);
  void NotePod(const std::string& key, const boost::json::value& pod);
  void Forget(std::string_view node);
  SteadyTime DeadlineOf(const Known& node) const;

  void CountReady();
  Task<void> Work();
  Task<void> MarkSilent(std::string node);
  Task<void> TaintNode(std::string node, MayEvict evict);
  Task<void> TendPods();
  Task<void> DriveOut(std::string key);
  Task<Result<void>> Edit(std::string key, Part part,
                          std::function<bool(boost::json::value&)> edit);

  const Services& services_;
  const NodeLimits limits_;
  Logger log_;

  std::map<std::string, Known, std::less<>> nodes_;
  Deadlines silences_;    // names of nodes
  Deadlines departures_;  // keys of pods
  // What has to be looked at now.
  std::set<std::string, std::less<>> dirty_;
  std::set<std::string, std::less<>> turned_;   // whose pods are not ready any more
  std::set<std::string, std::less<>> tainted_;  // whose pods may have to go, or may stay
  bool someone_ready_ = false;
  bool counted_ = false;   // someone_ready_ is of now
  int tainted_nodes_ = 0;  // those that drive pods out
};

}  // namespace millwright::apiserver
