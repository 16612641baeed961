#include "cli/outcome.h"

#include <cstdio>

namespace millwright::cli {

ExitCode SayFailure(const StartFailure& failure) {
  std::fprintf(stderr, "millwright: %s\n", failure.message.c_str());
  return failure.code;
}

ExitCode CodeOf(kube::ManagerOutcome outcome) {
  switch (outcome) {
    case kube::ManagerOutcome::kStopped: return ExitCode::kOk;
    case kube::ManagerOutcome::kLostLease: return ExitCode::kLostLease;
    case kube::ManagerOutcome::kCannotListen: return ExitCode::kFailed;
  }
  return ExitCode::kFailed;
}

}  // namespace millwright::cli
