// What a dialect must bring to be simulated, in one place for each: its kinds,
// a sample, what users write, and how the facts are read. A new dialect is a
// file like gardener_words.cc and a line in words.cc.
#pragma once

#include <boost/json/object.hpp>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/task.h"
#include "tests/sim/facts.h"
#include "tests/sim/station.h"

namespace millwright::sim {

// The password of the classes in simulated clusters: it must not be told to
// anybody.
inline constexpr std::string_view kSecret = "hunter2";

// What everything here is called.
inline constexpr std::string_view kDeploymentName = "web";
inline constexpr std::string_view kSecretName = "small";

// A secret and a class `small`, and a deployment `web` of machines of that
// class.
struct Sample {
  int replicas = 1;
  int surge = 1;
  int unavailable = 0;
  // In the dialect's own words: instead of the strategy made of the bounds;
  // more of the deployment's spec; more of its machines' spec.
  std::string strategy = {};
  std::string more_spec = {};
  std::string more_machine = {};
};

struct Words {
  std::string_view name;
  std::string_view group;
  std::string_view version;
  std::string_view machines;  // plurals
  std::string_view sets;
  std::string_view deployments;

  // Its controllers, in a process of their own, until it ends.
  Task<void> (*run)(Station& station);
  std::vector<boost::json::object> (*definitions)();
  std::string (*sample)(const Sample& sample);  // YAML
  // Merge patches of the deployment.
  std::string (*scaled)(int replicas);
  std::string (*rolled)(int version);
  // None: deployments cannot be paused.
  std::string (*paused)(bool paused) = nullptr;
  // The strategy that updates machines where they are, and what the agent of a node does to it: a
  // merge patch, empty while there is nothing to do. None: the dialect knows no such updates.
  std::string_view in_place = {};
  std::string (*updated_node)(const boost::json::value& node) = nullptr;

  MachineFacts (*read_machine)(const boost::json::value& object);
  SetFacts (*read_set)(const boost::json::value& object);
  DeploymentFacts (*read_deployment)(const boost::json::value& object);

  // Where the store has objects that machines are made of, and that go with them; those for which
  // the cloud makes VMs come first. None: it makes them for the machines themselves.
  std::span<const std::string_view> parts = {};
  InstanceFacts (*read_instance)(const boost::json::value& object) = nullptr;
  // VMs that nobody asked for are found and removed.
  bool sweeps_orphans = true;

  std::span<const Mutant> (*mutants)() = nullptr;

  // Where objects of a kind are asked for, and where the store has them.
  std::string Path(std::string_view plural, std::string_view object = "") const;
  std::string Scope(std::string_view plural) const;
  std::string DeploymentPath() const { return Path(deployments, kDeploymentName); }
};

std::span<const Words* const> AllWords();
// Null if there is no such dialect.
const Words* FindWords(std::string_view name);

const Words& GardenerWords();
const Words& CapiWords();

// What their processes do.
Task<void> RunGardener(Station& station);
Task<void> RunCapi(Station& station);

}  // namespace millwright::sim
