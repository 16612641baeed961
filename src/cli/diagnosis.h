// Why something is not as it should be: a chain of causes from a deployment down to what a cloud or
// a person has to do.
#pragma once

#include <string>
#include <vector>

#include "cli/seen.h"
#include "core/lifecycle/retry.h"

namespace millwright::cli {

struct Cause {
  std::string what;
  std::vector<Cause> because;

  friend bool operator==(const Cause&, const Cause&) = default;
};

struct DiagnosisRules {
  std::string set_kind;
  std::string machine_kind;
  std::string class_kind;
  std::string finalizer;       // ours; those of others hold things up
  core::RetryPeriods periods;  // as controllers have them unless they were told otherwise
};
DiagnosisRules RulesFor(const dialects::Dialect& dialect);

// Nothing: it is as it should be.
std::vector<Cause> WhyNot(const Seen& seen, const DiagnosisRules& rules,
                          const dialects::DeploymentRecord& deployment, WallTime now);
std::vector<Cause> WhyNot(const Seen& seen, const DiagnosisRules& rules,
                          const dialects::SetRecord& set, WallTime now);
std::vector<Cause> WhyNot(const Seen& seen, const DiagnosisRules& rules,
                          const dialects::MachineRecord& machine, WallTime now);

// Indented, a line each, those below under those above.
std::string CausesText(const std::vector<Cause>& causes, std::size_t depth = 1);

}  // namespace millwright::cli
