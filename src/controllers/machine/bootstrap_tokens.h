// Tokens with which new machines join the target cluster: one each, for as long as it may take.
#pragma once

#include <string>
#include <unordered_map>

#include "base/clock.h"
#include "base/id.h"
#include "base/random.h"
#include "base/secret.h"
#include "kube/client/client.h"

namespace millwright::controllers {

// The id of a machine's token. Each machine has its own few: should one be taken by another machine
// (36^6 are not that many), the next is tried.
std::string TokenId(const Uid& machine, int attempt);

class BootstrapTokens {
 public:
  BootstrapTokens(kube::Client& target, Clock& clock, Random& random, std::string groups)
      : target_(target), clock_(clock), random_(random), groups_(std::move(groups)) {}

  // The machine's token, made now unless it was made before: "id.secret".
  Task<Result<SecretText>> Take(Uid machine, std::string name, Duration lasts);

  // It is not needed any more. Again is fine. One request if it was this process that made it.
  Task<Result<void>> Drop(Uid machine, std::string name);

 private:
  struct Made {
    int attempt = 0;  // of TokenId
    Uid object;
  };

  std::string NewSecret();

  kube::Client& target_;
  Clock& clock_;
  Random& random_;
  const std::string groups_;
  std::unordered_map<Uid, Made> made_;  // by machine
};

}  // namespace millwright::controllers
