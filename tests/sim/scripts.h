// One thing that happens to a deployment, from machines that run to machines that run again (or
// none): short enough that a crash can be tried at every single place of it.
#pragma once

#include <span>
#include <string_view>

#include "tests/sim/workload.h"

namespace millwright::sim {

struct ScriptScene;

struct Script {
  std::string_view name;
  // What somebody does once all machines run. None: it is about how they come to be.
  void (*act)(ScriptScene& scene) = nullptr;
  bool (*reached)(const ScriptScene& scene) = nullptr;
  bool in_place = false;      // machines are updated where they are
  bool keeps_bounds = false;  // nobody takes a machine away, so surge and availability hold
};

// A whole life is not among them.
std::span<const Script> Scripts();
const Script* FindScript(std::string_view name);

// Whether the dialect has what the script is about.
bool CanPlay(const Script& script, const Words& words);

// Up to running machines, what the script says, rest, and the end of all. The outcome's focus is
// the script's own part.
Outcome RunScript(const Script& script, LifeRun run);

}  // namespace millwright::sim
