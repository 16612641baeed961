// Scripted faults: which calls fail, how, and on which side of their effect.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "base/time.h"
#include "core/lifecycle/cloud_code.h"
#include "providers/simulated/call.h"

namespace millwright::providers {

// How far a call that fails gets.
enum class FaultPoint {
  kBefore,   // nothing happens
  kHalfway,  // create: the dependants are made, not the VM; remove: the VM goes, they stay
  kAfter,    // all of it happens, and the answer is lost
};

inline constexpr std::uint64_t kAlways = std::numeric_limits<std::uint64_t>::max();

// One line of the script. It matches calls by kind and machine; of those, it applies to `times`
// calls beginning with number `first` (the nth call: first = n, times = 1), each with the given
// probability.
struct FaultRule {
  std::optional<CallKind> kind;  // none: any
  std::string machine;           // the machine's name; empty: any, also calls about no machine
  std::uint64_t first = 1;
  std::uint64_t times = kAlways;
  double probability = 1;

  std::optional<core::CloudCode> code;  // none: the call does not fail; it may be slow
  bool unreadable = false;              // it fails, and with no code that anybody could read
  FaultPoint point = FaultPoint::kBefore;
  Duration delay{};         // until the effect, on top of the usual
  Duration answer_delay{};  // from the effect to the answer, likewise
  bool duplicate = false;   // a create makes two VMs

  bool Fails() const { return code.has_value() || unreadable; }
  friend bool operator==(const FaultRule&, const FaultRule&) = default;
};

// The rules in force and how often each has matched. The first that applies to a call is taken.
class FaultScript {
 public:
  using RuleId = std::uint64_t;

  RuleId Add(FaultRule rule);
  void Remove(RuleId rule) { rules_.erase(rule); }
  void Clear() { rules_.clear(); }

  // The fault of this call, if it has one. Rules of the machine's class come after ours; they are
  // counted under `class_key`.
  std::optional<FaultRule> Draw(CallKind kind, const std::string& machine,
                                const std::vector<FaultRule>& class_rules,
                                const std::string& class_key, Random& random);

 private:
  struct Counted {
    FaultRule rule;
    std::uint64_t matches = 0;
  };

  std::map<RuleId, Counted> rules_;
  std::map<std::pair<std::string, std::size_t>, std::uint64_t> class_matches_;
  RuleId next_ = 1;
};

}  // namespace millwright::providers
