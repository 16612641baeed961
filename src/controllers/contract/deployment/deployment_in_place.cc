// Machines that could be updated in place instead of being replaced: what the planner has to know.
#include <algorithm>

#include "controllers/contract/deployment/deployment_controller.h"
#include "controllers/contract/deployment/in_place_answer.h"
#include "controllers/contract/shared/belonging.h"
#include "dialects/capi/body_parts.h"
#include "dialects/capi/status/machine_groups.h"

namespace millwright::controllers::contract {

namespace json = boost::json;
using capi::SetRecord;

namespace {

// How long an answer of an extension holds.
constexpr Duration kAnswerHolds = std::chrono::hours(24);

}  // namespace

void DeploymentController::DescribeMoves(const Pass& pass, DeploymentScene& scene) const {
  const core::SetRoles roles = RolesOf(scene, surroundings_.clock.Now());
  if (roles.current) {
    const SetRecord& current = pass.sets[*roles.current];
    scene.moves.acknowledged = SplitList(Annotation(current, capi::annotations::kAcknowledged));
    for (const capi::MachineRecord* machine :
         caches_.machines_by_owner.Find(OwnerKey(current.meta.uid))) {
      if (capi::IsUnacknowledged(*machine)) {
        scene.moves.unacknowledged.push_back(machine->meta.key.name);
      }
    }
  }
  for (const SetRecord& set : pass.sets) {
    for (const capi::MachineRecord* machine :
         caches_.machines_by_owner.Find(OwnerKey(set.meta.uid))) {
      scene.moves.any_updating |= capi::IsUpdatingInPlace(*machine);
    }
  }
}

Task<Result<void>> DeploymentController::AskAboutInPlace(Pass& pass, DeploymentScene& scene) {
  DescribeMoves(pass, scene);
  if (surroundings_.in_place.registered() > 1) {
    co_return Fail(ErrorKind::kInvalid, "more than one extension for in-place updates");
  }
  if (surroundings_.in_place.registered() == 0) co_return Ok();
  CO_TRY(const std::vector<std::string> ask, SetsToAskAbout(scene, surroundings_.clock.Now()));
  for (const std::string& name : ask) {
    const auto set = std::ranges::find(
        pass.sets, name, [](const SetRecord& s) -> const std::string& { return s.meta.key.name; });
    CO_TRY(const bool can, co_await CanUpdate(pass, *set));
    if (can) scene.moves.updatable.push_back(name);
  }
  co_return Ok();
}

Task<Result<bool>> DeploymentController::CanUpdate(const Pass& pass, const SetRecord& set) {
  const std::string template_text(pass.deployment.template_text.view());
  const SteadyTime now = surroundings_.clock.Elapsed();
  const auto known = can_update_.find(set.meta.uid);
  if (known != can_update_.end() && known->second.template_text == template_text &&
      now < known->second.until) {
    co_return known->second.can;
  }
  CO_TRY(const InPlaceObjects desired,
         co_await ObjectsOf(pass.deployment.spec.machine_template, pass.deployment.meta.key));
  CO_TRY(const InPlaceObjects current, co_await ObjectsOf(set.spec.machine_template, set.meta.key));
  bool can = false;
  // What is not there yet is asked about when it is.
  if (current.infrastructure.is_null() || desired.infrastructure.is_null()) co_return can;
  if (current.bootstrap.is_null() == desired.bootstrap.is_null()) {
    CO_TRY(const InPlaceAnswer answer, co_await surroundings_.in_place.CanUpdate(current, desired));
    CO_TRY(can, CoversAll(current, desired, answer));
  }
  can_update_[set.meta.uid] = {template_text, can, now + kAnswerHolds};
  co_return can;
}

Task<Result<InPlaceObjects>> DeploymentController::ObjectsOf(const capi::MachineTemplate& wish,
                                                             kube::ObjectKey set) {
  const std::string& space = set.namespace_;
  InPlaceObjects objects;
  objects.machine = {{"apiVersion", capi::kApiVersion},
                     {"kind", capi::kSetKind},
                     {"metadata", {{"name", set.name}, {"namespace", space}}},
                     {"spec", {{"template", capi::TemplateJson(wish)}}}};
  CO_TRY(const auto infrastructure, co_await externals_.Get(wish.spec.infrastructure, space));
  if (infrastructure) {
    CO_TRY(const json::value tree, infrastructure->Tree());
    objects.infrastructure = ShownToExtensions(tree);
  }
  if (wish.spec.bootstrap.defined()) {
    CO_TRY(const auto bootstrap, co_await externals_.Get(wish.spec.bootstrap, space));
    if (bootstrap) {
      CO_TRY(const json::value tree, bootstrap->Tree());
      objects.bootstrap = ShownToExtensions(tree);
    }
  }
  co_return objects;
}

}  // namespace millwright::controllers::contract
