#include "cli/contract_rollout.h"

#include <boost/json/value.hpp>

#include "controllers/contract/deployment/deployment_view.h"
#include "controllers/contract/set/set_view.h"
#include "dialects/capi/names.h"
#include "kube/api/json_text.h"
#include "kube/api/merge_patch.h"

namespace millwright::cli {

namespace capi = dialects::capi;
namespace contract = controllers::contract;
namespace json = boost::json;

namespace {

// What a set's template has that its deployment's has not: the mark of the set.
void Unmark(json::value& machine_template) {
  json::object* of = machine_template.if_object();
  for (const std::string_view key : {"metadata", "labels"}) {
    json::value* next = of == nullptr ? nullptr : of->if_contains(key);
    of = next == nullptr ? nullptr : next->if_object();
  }
  if (of != nullptr) of->erase(capi::labels::kTemplateHash);
}

}  // namespace

std::vector<Revision> RevisionsOf(const capi::DeploymentRecord& deployment,
                                  const std::vector<const capi::SetRecord*>& sets) {
  std::vector<Revision> revisions;
  for (const capi::SetRecord* set : sets) {
    revisions.push_back({.number = contract::RevisionOf(*set),
                         .cause = CauseIn(set->annotations),
                         .template_text = std::string(set->template_text.view()),
                         .current = contract::IsCurrent(*set, &deployment)});
  }
  return InOrder(std::move(revisions));
}

Result<json::object> TemplatePatch(const dialects::DeploymentRecord& deployment,
                                   const Revision& target) {
  TRY(const json::value before, kube::ParseJson(deployment.machine_template.whole.view()));
  TRY(json::value after, kube::ParseJson(target.template_text));
  Unmark(after);
  TRY(json::value difference, kube::CreateMergePatch(before, after));
  return json::object{{"metadata", {{"resourceVersion", deployment.meta.resource_version.str()}}},
                      {"spec", {{"template", std::move(difference)}}}};
}

json::object RolloutAfterPatch(WallTime now) {
  // Times on objects have whole seconds, and sets made before that time are replaced: one that was
  // made in this second is to be, too.
  const WallTime next = std::chrono::floor<std::chrono::seconds>(now) + std::chrono::seconds(1);
  return {{"spec", {{"rollout", {{"after", FormatTime(next)}}}}}};
}

}  // namespace millwright::cli
