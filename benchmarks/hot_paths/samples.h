// Machines and sets as a server keeps them, with the fields that real ones have.
#pragma once

#include <string>

namespace millwright::benchmarks {

// How many machines stand around the one that is looked at.
inline constexpr int kMany = 1000;

// Running, or still pending.
std::string SampleGardenerMachine(int number, bool running);
std::string SampleCapiMachine(int number, bool running);

std::string SampleGardenerSet();

}  // namespace millwright::benchmarks
