// What a process of simulated controllers has: whom it talks to and how it measures time. A
// dialect's loops run in it until the process ends.
#pragma once

#include "base/clock.h"
#include "base/log.h"
#include "base/random.h"
#include "controllers/shared/surroundings.h"
#include "kube/client/client.h"
#include "providers/cloud.h"
#include "tests/sim/mutants.h"

namespace millwright::sim {

// All that it refers to outlives the loops.
struct Station {
  Executor executor;
  Clock& clock;
  Random& random;
  Log& log;
  net::Http& http;  // to the API server, as the client has it
  kube::Client& client;
  const providers::CloudRegistry& clouds;
  controllers::Settings settings;  // of the loops on the Cloud port
  const Mutant* mutant = nullptr;  // a planted bug
};

}  // namespace millwright::sim
