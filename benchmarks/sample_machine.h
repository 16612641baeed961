// A Machine as a cloud's machine controller keeps it: some 2.5 KiB with what the server adds.
#pragma once

#include <string>

namespace millwright::benchmarks {

// Of the definition that benchmarks/apiserver installs.
std::string MachinesTarget();
std::string MachineName(int number);
std::string SampleMachine(int number);

}  // namespace millwright::benchmarks
