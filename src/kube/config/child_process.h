// Runs a program and collects what it prints, without a shell and without blocking the loop.
#pragma once

#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "base/secret.h"

namespace millwright::kube {

struct ChildCommand {
  std::string program{};  // a path, or a name to look up in the PATH of `env`
  std::vector<std::string> args{};
  std::vector<std::string> env{};  // "NAME=value"; nothing else is inherited
  // A person sits in front of it: it gets our standard input and error output.
  bool interactive = false;
  Duration timeout = std::chrono::minutes(1);
};

struct ChildResult {
  int exit_code = 0;  // 128 and the number of the signal that ended it, as a shell says it
  SecretText out{};
  std::string err{};  // the first few kilobytes; nothing if interactive
};

// The program is killed, with all it started, when its time is up or the caller is cancelled, and
// it is always reaped. What outlives it is not waited for. kNotFound: there is no such program.
// kInvalid: it cannot be started, or printed more than a megabyte. kUnavailable: it took too long.
Task<Result<ChildResult>> RunChild(Clock& clock, ChildCommand command);

}  // namespace millwright::kube
