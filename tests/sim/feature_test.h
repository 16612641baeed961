// What tests of single features share: a cluster with one deployment, and how
// to look at it.
#pragma once

#include <gtest/gtest.h>
#include <boost/json.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "tests/sim/cluster.h"
#include "tests/sim/facts.h"

namespace millwright::sim {

class FeatureTest : public testing::Test {
 protected:
  explicit FeatureTest(Cluster::Options options = {}) : cluster_(std::move(options)) {}

  void SetUp() override { cluster_.InstallKinds(); }

  // A secret, a class `small`, and a deployment `web`; `spec` is more of its
  // spec, such as a strategy, and `machine` more of the spec of its machines.
  void Begin(int replicas, std::string_view strategy = "", std::string_view spec = "",
             std::string_view machine = "");
  bool UntilRunning(int machines, Duration limit = std::chrono::minutes(10));

  static std::string At(std::string_view kind, std::string_view name = "");
  static std::string Node(std::string_view name) { return "/api/v1/nodes/" + std::string(name); }

  std::vector<boost::json::value> Machines() { return cluster_.List(At("machines")); }
  std::vector<boost::json::value> Sets() { return cluster_.List(At("machinesets")); }
  boost::json::value Web() { return cluster_.Get(At("machinedeployments", "web")); }
  int CountIn(std::string_view phase);
  int Events(std::string_view reason);

  void Patch(const std::string& target, std::string_view patch);
  // A label or annotation; an empty value takes it away.
  void Annotate(const std::string& target, std::string_view key, std::string_view value);
  void Label(const std::string& target, std::string_view key, std::string_view value);
  void Scale(int replicas);

  // Everything, for a failed expectation.
  std::string Dump();

  Cluster cluster_;
};

inline std::string NameOf(const boost::json::value& o) { return TextAt(o, "/metadata/name"); }
inline std::string PhaseOf(const boost::json::value& machine) {
  return TextAt(machine, "/status/currentStatus/phase");
}
// The same of a label or annotation.
std::string LabelOf(const boost::json::value& object, std::string_view key);
std::string AnnotationOf(const boost::json::value& object, std::string_view key);
// A condition of that type in a list of them, or null.
boost::json::value ConditionOf(const boost::json::value& object, std::string_view list,
                               std::string_view type);
bool IsTainted(const boost::json::value& node, std::string_view key);

}  // namespace millwright::sim
