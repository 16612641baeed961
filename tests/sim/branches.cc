#include "tests/sim/branches.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <stdexcept>

namespace millwright::sim {

Branches::Branches(Places places, std::size_t depth, Share share)
    : places_(places), depth_(depth), share_(share) {
  void* shared =
      mmap(nullptr, sizeof(Figures), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) throw std::runtime_error("no shared memory");
  figures_ = new (shared) Figures();
}

Branches::~Branches() { munmap(figures_, sizeof(Figures)); }

bool Branches::MayBranch(Places places) {
  if (!enabled_ || places != places_ || Depth() >= depth_) return false;
  if (!is_root()) return true;
  return first_++ % share_.of == share_.part - 1;
}

bool Branches::Fork(const FaultPlan& with) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot fork");
  if (child == 0) {
    crashes_ = with;
    ++figures_->branches[Depth()];
    return true;
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    ++figures_->failed;
    fmt::print("not ok the run ended with status {}:{}\n", status, with.ToString());
  }
  return false;
}

Branches::Turn Branches::AtPoint(int point) {
  if (!MayBranch(Places::kPoints)) return Turn::kGoOn;
  for (const bool after : {false, true}) {
    FaultPlan with = crashes_;
    with.crashes.insert({point, after});
    if (Fork(with)) return after ? Turn::kAfter : Turn::kBefore;
  }
  return Turn::kGoOn;
}

bool Branches::CrashesAtStep(std::uint64_t step) {
  if (!MayBranch(Places::kSteps)) return false;
  FaultPlan with = crashes_;
  with.crash_steps.insert(step);
  return Fork(with);
}

}  // namespace millwright::sim
