// Machines of Gardener's kind and their Nodes as clouds have them, to be kept by the ten thousands.
#pragma once

#include <string>

namespace millwright::benchmarks {

// About 2.5 KB; all of them in one set. Its node is NodeName(number).
std::string GardenerMachine(int number);

// SampleNode after a machine controller has marked it: about 5.5 KB.
std::string GardenerNode(int number);

}  // namespace millwright::benchmarks
