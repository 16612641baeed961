// What is changed on a deployment itself.
#include "dialects/gardener/names.h"
#include "dialects/gardener/read_metadata.h"
#include "dialects/gardener/render.h"
#include "dialects/gardener/render_parts.h"
#include "dialects/gardener/scaler_marks_text.h"
#include "dialects/gardener/skipped_annotations.h"
#include "kube/api/merge_patch.h"

namespace millwright::dialects::gardener {

namespace json = boost::json;

namespace {

json::object WithoutHash(json::object machine_template) {
  json::value* metadata = machine_template.if_contains("metadata");
  json::value* labels =
      metadata && metadata->is_object() ? metadata->get_object().if_contains("labels") : nullptr;
  if (labels != nullptr && labels->is_object()) {
    labels->get_object().erase(labels::kTemplateHash);
  }
  return machine_template;
}

json::object TemplateChanges(const DeploymentRecord& deployment, const SetRecord& target) {
  auto patch = kube::CreateMergePatch(ObjectOf(deployment.machine_template.whole.view()),
                                      WithoutHash(ObjectOf(target.machine_template.whole.view())));
  return patch && patch->is_object() ? std::move(patch->get_object()) : json::object();
}

// The annotations of that time: what came since goes, what is the deployment's own stays.
json::object AnnotationChanges(const DeploymentRecord& deployment, const SetRecord& target) {
  json::object changes;
  for (const auto& [key, value] : deployment.annotations) {
    if (IsCopied(key) && !target.annotations.contains(key)) changes[key] = nullptr;
  }
  for (const auto& [key, value] : target.annotations) {
    if (!IsCopied(key)) continue;
    const std::string* present = FindText(deployment.annotations, key);
    if (present == nullptr || *present != value) changes[key] = value;
  }
  return changes;
}

}  // namespace

json::object DeploymentRevision(const DeploymentRecord& deployment, std::int64_t revision) {
  if (deployment.revision == revision) return {};
  return AnnotationPatch({{annotations::kRevision, std::to_string(revision)}});
}

json::object PrunedMarks(const DeploymentRecord& deployment,
                         std::span<const core::ScalerMark> keep) {
  const std::string* present = FindText(deployment.annotations, annotations::kTriggerDeletion);
  const std::string text = ScalerMarksText(keep);
  if (present == nullptr ? text.empty() : *present == text && !text.empty()) return {};
  return AnnotationPatch(
      {{annotations::kTriggerDeletion, text.empty() ? json::value(nullptr) : json::value(text)}});
}

json::object RolledBack(const DeploymentRecord& deployment, const SetRecord* target) {
  json::object spec{{"rollbackTo", nullptr}};
  json::object patch;
  if (target != nullptr) {
    json::object changes = TemplateChanges(deployment, *target);
    if (!changes.empty()) spec["template"] = std::move(changes);
    AddMetadata(patch, "annotations", AnnotationChanges(deployment, *target));
  }
  AddSpec(patch, std::move(spec));
  return patch;
}

json::object DeploymentFrozen(const DeploymentRecord& deployment, bool frozen) {
  json::object patch;
  if (frozen) {
    if (!deployment.frozen) AddMetadata(patch, "labels", {{labels::kFreeze, "True"}});
    return patch;
  }
  if (deployment.labels.contains(labels::kFreeze)) {
    AddMetadata(patch, "labels", {{labels::kFreeze, nullptr}});
  }
  if (deployment.unfreeze_asked) {
    AddMetadata(patch, "annotations", {{annotations::kUnfreeze, nullptr}});
  }
  return patch;
}

}  // namespace millwright::dialects::gardener
