// Every crash at every place of a run, and every further one in the runs that follow from it,
// without running twice what lies before: the process forks at each place, and the child crashes
// there. All children are done when their parent goes on.
#pragma once

#include <cstdint>
#include <optional>

#include "tests/sim/crash_plans.h"
#include "tests/sim/fault_plan.h"

namespace millwright::sim {

class Branches {
 public:
  enum class Places { kPoints, kSteps };
  enum class Turn { kGoOn, kBefore, kAfter };

  // What all processes came to, told to each other through shared memory.
  struct Figures {
    std::uint64_t runs = 0;
    std::uint64_t failed = 0;
    std::uint64_t crashes = 0;
    std::uint64_t checks = 0;
    std::uint64_t branches[4] = {};  // by the number of crashes on the way
    double simulated_seconds = 0;
    double machine_seconds = 0;
  };

  // At most `depth` crashes on the way; of the first ones only this share.
  Branches(Places places, std::size_t depth, Share share);
  Branches(const Branches&) = delete;
  Branches& operator=(const Branches&) = delete;
  ~Branches();

  // What happens here, in the process that this returns to. Not asked while it is disabled.
  Turn AtPoint(int point);
  bool CrashesAtStep(std::uint64_t step);

  void Enable(bool enable) { enabled_ = enable; }
  bool is_root() const { return crashes_.crashes.empty() && crashes_.crash_steps.empty(); }
  // Those of this process.
  const FaultPlan& crashes() const { return crashes_; }
  Figures& figures() { return *figures_; }

 private:
  std::size_t Depth() const { return crashes_.crashes.size() + crashes_.crash_steps.size(); }
  bool MayBranch(Places places);
  // Whether this is the child; in the parent the child is over.
  bool Fork(const FaultPlan& with);

  const Places places_;
  const std::size_t depth_;
  const Share share_;
  std::uint64_t first_ = 0;  // places of the root that were passed
  bool enabled_ = true;
  FaultPlan crashes_;
  Figures* figures_;
};

}  // namespace millwright::sim
