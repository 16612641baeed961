#include "controllers/supply/instance_plan.h"

namespace millwright::controllers::supply {

InstanceStep PlanInstance(const InstanceView& view) {
  if (view.paused) return InstanceStep::kRest;
  if (view.deleting) return view.is_protected ? InstanceStep::kRemove : InstanceStep::kRest;
  const bool is_wanted = view.has_machine && !view.machine_deleting;
  if (!is_wanted) {
    return view.in_doubt && !view.has_instance ? InstanceStep::kFindOut : InstanceStep::kRest;
  }
  if (view.provisioned) return InstanceStep::kRest;
  if (view.has_instance) {
    return view.is_protected ? InstanceStep::kShowAgain : InstanceStep::kProtect;
  }
  return view.cluster_provisioned && view.has_data ? InstanceStep::kMake : InstanceStep::kRest;
}

EndStep PlanEnd(const EndView& view) {
  if (!view.lack) return EndStep::kAskCloud;
  // All else passes, and then the cloud is asked.
  const bool for_good = *view.lack == ErrorKind::kInvalid;
  return for_good && !view.may_exist ? EndStep::kLetGo : EndStep::kWait;
}

}  // namespace millwright::controllers::supply
