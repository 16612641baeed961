// A piece of work that is done so often that its cost is looked after.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace millwright::benchmarks {

struct HotPath {
  std::string name;
  // Makes what the work needs, and returns the work. Each call of that does it once.
  std::function<std::function<void()>()> prepare;
};

HotPath NodeReport();
HotPath GardenerMachineEvent();
HotPath CapiMachineEvent();
HotPath QueueRound();
HotPath ReplicaPlan();
HotPath SetCount();
HotPath StatusPatch();
HotPath NewMachineBody();
HotPath StoreWrite();

// The work went wrong: its cost would mean nothing.
[[noreturn]] void Broken(const std::string& what);

}  // namespace millwright::benchmarks
