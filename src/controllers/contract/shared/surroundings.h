// What every loop of a process shares: whom it talks to, how it measures time, and how it was asked
// to behave.
#pragma once

#include "base/clock.h"
#include "base/log.h"
#include "base/random.h"
#include "controllers/contract/shared/in_place_port.h"
#include "controllers/contract/shared/remote_dialer.h"
#include "controllers/contract/shared/settings.h"
#include "kube/client/client.h"
#include "kube/events/recorder.h"

namespace millwright::controllers::contract {

// All that it refers to outlives the loops.
struct Surroundings {
  Executor executor;
  Clock& clock;
  Random& random;
  Log& log;
  kube::Client& management;  // the cluster in which machines are declared
  kube::Recorder& events;    // of that cluster
  RemoteDialer& dialer;      // to the clusters that machines join
  InPlacePort& in_place;
  Settings settings;
};

}  // namespace millwright::controllers::contract
