// A Node as a cloud's kubelet reports it: some 6 KiB with what the server adds.
#pragma once

#include <string>

namespace millwright::benchmarks {

std::string NodeName(int number);
std::string SampleNode(int number);

}  // namespace millwright::benchmarks
