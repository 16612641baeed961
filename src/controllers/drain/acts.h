// Single acts of a drain against the cluster, and what their answers mean.
#pragma once

#include <string>

#include "core/drain/run.h"
#include "kube/client/client.h"

namespace millwright::controllers {

struct ActAnswer {
  core::DrainAnswer answer = core::DrainAnswer::kAccepted;
  std::string why;  // for people; empty: it went well
};

// Only the very pod that was meant: one of the same name with another UID is left alone, and ours
// is gone then.
Task<ActAnswer> CarryOut(kube::Client& client, core::DrainAct act);

}  // namespace millwright::controllers
