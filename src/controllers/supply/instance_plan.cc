#include "controllers/supply/instance_plan.h"

namespace millwright::controllers::supply {

InstanceStep PlanInstance(const InstanceView& view) {
  if (view.paused) return InstanceStep::kRest;
  if (view.deleting) return view.is_protected ? InstanceStep::kRemove : InstanceStep::kRest;
  if (view.provisioned || !view.has_machine) return InstanceStep::kRest;
  if (view.has_instance && view.is_protected) return InstanceStep::kShowAgain;
  if (!view.cluster_provisioned || !view.has_data) return InstanceStep::kRest;
  return view.is_protected ? InstanceStep::kMake : InstanceStep::kProtect;
}

}  // namespace millwright::controllers::supply
