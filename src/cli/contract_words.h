// How Cluster API's objects are, in a word and a line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/contract_seen.h"
#include "cli/diagnosis.h"
#include "cli/text_table.h"
#include "core/model/condition.h"

namespace millwright::cli {

// What a provider's object is for: that says which of its fields tells that it is done.
enum class ExternalRole { kInfrastructure, kClusterInfrastructure, kBootstrap, kControlPlane };

struct ShownState {
  std::string word;
  Mood mood = Mood::kPlain;
  bool ready = false;
  std::string line;  // empty: the word says all

  friend bool operator==(const ShownState&, const ShownState&) = default;
};

ShownState StateOf(const dialects::capi::ClusterRecord& cluster);
ShownState StateOf(const dialects::capi::MachineRecord& machine);
// As the machine tells it: nodes are in clusters that we do not look at.
ShownState NodeStateOf(const dialects::capi::MachineRecord& machine);
ShownState StateOf(const ExternalView& external, ExternalRole role);

// "draining its node", for the reason that a deletion shows.
std::string StageOf(const dialects::capi::MachineRecord& machine);

bool IsDone(const SeenExternal& external, ExternalRole role);
bool IsPaused(const dialects::capi::Conditions& conditions);

// A message of conditions, whose lines begin with stars and are indented, as the tree that it is.
std::vector<Cause> Bullets(std::string_view message);
// Its first line that says something of its own, for columns.
std::string FirstLine(std::string_view message);

// In the form that all dialects' conditions are shown in.
std::vector<core::Condition> AsShown(const dialects::capi::Conditions& conditions);

}  // namespace millwright::cli
