// The Node as its agent describes it. Pure.
#pragma once

#include <boost/json/value.hpp>

#include <map>
#include <string>
#include <vector>

#include "agent/user_data.h"
#include "base/time.h"
#include "kube/api/object.h"

namespace millwright::agent {

// The computer below.
struct SystemFacts {
  std::string architecture = {};  // as Go has it: "amd64"
  std::string kernel = {};
  std::string os_image = {};
  std::string boot_id = {};
  std::string machine_id = {};
  std::string cpu = {};  // quantities
  std::string memory = {};
};

struct NodeFacts {
  std::string name;
  std::string provider_id = {};
  std::map<std::string, std::string> labels = {};
  std::vector<Taint> taints = {};
  std::map<std::string, std::string> capacity = {};
  std::string address = "127.0.0.1";
  std::string version = {};  // what a kubelet's would be
  SystemFacts system = {};
};

// Conditions by their type: "True", "False".
using Conditions = std::map<std::string, std::string>;

// To be created, without its status.
boost::json::object NodeObject(const NodeFacts& facts);

// What an agent adds to a Node that somebody else made, or that it made in an earlier life. It may
// not touch taints, and a provider id is for good.
boost::json::object NodePatch(const NodeFacts& facts, bool has_provider_id);

// A strategic merge patch of the status. `seen` are the conditions as they stand: the time of a
// condition's last transition changes only with the condition.
boost::json::object StatusPatch(const NodeFacts& facts, const Conditions& seen, WallTime now);

// The same for the Lease by which the cluster knows that the node is alive.
boost::json::object LeaseObject(const std::string& node, const std::string& node_uid, WallTime now);
boost::json::object LeasePatch(const std::string& node, WallTime now);

}  // namespace millwright::agent
