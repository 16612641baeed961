// The least of a failing run that still fails: happenings and strokes of bad
// luck are left out, half of them, a quarter, and so on down to single ones
// (delta debugging).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/sim/workload.h"

namespace millwright::sim {

struct Minimized {
  ChanceRun run;                   // fails with what is left
  Outcome outcome;                 // how
  std::vector<std::string> lines;  // what is left, for people, in order of time
  int runs = 0;                    // that it took
};

// Of a run that fails; gives up after so many tries, with what it has by then.
Minimized Minimize(const ChanceRun& run, const Outcome& outcome, int most_runs = 200);

// The pieces of `whole` that are needed for `fails`, which holds for all of it.
std::vector<std::size_t> NeededParts(
    std::size_t whole, const std::function<bool(const std::vector<std::size_t>&)>& fails);

// "h3,d17": numbers of happenings and draws, as a command line has them. An
// empty text is all.
std::string SelectionText(const ChanceRun& run);
void ReadSelection(const std::string& text, ChanceRun& run);

// One line that runs it again.
std::string ReplayCommand(const ChanceRun& run);

}  // namespace millwright::sim
