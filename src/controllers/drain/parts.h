// What drains need of their surroundings.
#pragma once

#include "base/clock.h"
#include "base/log.h"
#include "base/random.h"
#include "dialects/node_record.h"
#include "kube/client/client.h"
#include "kube/informer/informer.h"

namespace millwright::controllers {

// All outlive the drains.
struct DrainParts {
  Executor executor;
  Clock& clock;
  Random& random;
  Log& log;
  kube::Client* target = nullptr;  // null: machines have no nodes, and nothing is to be drained
  kube::Informer<dialects::NodeRecord>* nodes = nullptr;  // of the target
};

}  // namespace millwright::controllers
