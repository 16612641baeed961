#include "core/model/phase.h"

namespace millwright::core {

std::string_view ToString(Phase phase) {
  switch (phase) {
    case Phase::kNew: return "new";
    case Phase::kCreateFailing: return "create-failing";
    case Phase::kProvisioning: return "provisioning";
    case Phase::kJoining: return "joining";
    case Phase::kAvailable: return "available";
    case Phase::kRunning: return "running";
    case Phase::kUnhealthy: return "unhealthy";
    case Phase::kUpdating: return "updating";
    case Phase::kUpdated: return "updated";
    case Phase::kUpdateFailed: return "update-failed";
    case Phase::kFailed: return "failed";
    case Phase::kDeleting: return "deleting";
  }
  return "unknown";
}

}  // namespace millwright::core
