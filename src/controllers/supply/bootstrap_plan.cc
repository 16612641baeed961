#include "controllers/supply/bootstrap_plan.h"

namespace millwright::controllers::supply {

BootstrapStep PlanBootstrap(const BootstrapView& view) {
  if (view.paused) return BootstrapStep::kRest;
  if (view.deleting || view.has_data) {
    const bool needed = !view.deleting && !view.joined;
    if (!view.has_token || needed) return BootstrapStep::kRest;
    if (view.cluster_ends || view.expired) return BootstrapStep::kForgetToken;
    return view.connected ? BootstrapStep::kDropToken : BootstrapStep::kRest;
  }
  if (!view.has_machine || !view.connected) return BootstrapStep::kRest;
  return view.wants_token && !view.has_token ? BootstrapStep::kNoteToken : BootstrapStep::kFill;
}

}  // namespace millwright::controllers::supply
