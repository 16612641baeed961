// The set that a deployment makes for a template, and its name.
#include <fmt/format.h>

#include "dialects/gardener/names.h"
#include "dialects/gardener/render.h"
#include "dialects/gardener/render_parts.h"
#include "dialects/gardener/skipped_annotations.h"
#include "dialects/gardener/template_hash.h"

namespace millwright::dialects::gardener {

namespace json = boost::json;

namespace {

constexpr size_t kSuffixLength = 5;
constexpr std::string_view kDigitLetters = "456789bcdf";  // 0 to 9, without vowels

std::string_view OperatorText(kube::LabelRequirement::Operator op) {
  using enum kube::LabelRequirement::Operator;
  switch (op) {
    case kIn: return "In";
    case kNotIn:
    case kNotEquals: return "NotIn";
    case kDoesNotExist: return "DoesNotExist";
    case kExists:
    case kEquals:
    case kDoubleEquals:
    case kGreaterThan:
    case kLessThan: break;
  }
  return "Exists";
}

json::object SelectorJson(const kube::LabelSelector& selector, const std::string& hash) {
  json::object labels;
  json::array expressions;
  for (const kube::LabelRequirement& requirement : selector.requirements()) {
    using enum kube::LabelRequirement::Operator;
    if (requirement.op == kEquals || requirement.op == kDoubleEquals) {
      labels[requirement.key] = requirement.values.front();
      continue;
    }
    json::object expression{{"key", requirement.key}, {"operator", OperatorText(requirement.op)}};
    if (!requirement.values.empty()) {
      expression["values"] = json::array(requirement.values.begin(), requirement.values.end());
    }
    expressions.push_back(std::move(expression));
  }
  labels[labels::kTemplateHash] = hash;
  json::object written{{"matchLabels", std::move(labels)}};
  if (!expressions.empty()) written["matchExpressions"] = std::move(expressions);
  return written;
}

json::object LabelsWithHash(const kube::Labels& labels, const std::string& hash) {
  json::object written;
  for (const auto& [key, value] : labels) written[key] = value;
  written[labels::kTemplateHash] = hash;
  return written;
}

json::object TemplateWithHash(const MachineTemplate& machine_template, const std::string& hash) {
  json::object written = ObjectOf(machine_template.whole.view());
  json::value& metadata = written["metadata"];
  if (!metadata.is_object()) metadata = json::object();
  metadata.get_object()["labels"] = LabelsWithHash(machine_template.labels, hash);
  return written;
}

json::object SetAnnotations(const DeploymentRecord& deployment, const NewSet& set) {
  json::object annotations;
  for (const auto& [key, value] : deployment.annotations) {
    if (IsCopied(key)) annotations[key] = value;
  }
  annotations[annotations::kRevision] = std::to_string(set.revision);
  annotations[annotations::kDesiredReplicas] = std::to_string(set.desired_note);
  annotations[annotations::kMaxReplicas] = std::to_string(set.max_note);
  return annotations;
}

}  // namespace

NewSet NameSet(const DeploymentRecord& deployment) {
  const std::string hash = TemplateHash(deployment.machine_template, deployment.collision_count);
  std::string suffix;
  for (const char digit : hash.substr(0, kSuffixLength)) {
    suffix += kDigitLetters[static_cast<size_t>(digit - '0')];
  }
  return {.name = deployment.meta.key.name + "-" + suffix, .hash = hash};
}

json::object NewSetBody(const DeploymentRecord& deployment, const NewSet& set) {
  json::object metadata{{"name", set.name},
                        {"namespace", deployment.meta.key.namespace_},
                        {"labels", LabelsWithHash(deployment.machine_template.labels, set.hash)},
                        {"annotations", SetAnnotations(deployment, set)},
                        {"finalizers", WithOurFinalizer(nullptr)},
                        {"ownerReferences", ControlledBy(kDeploymentKind, deployment.meta)}};
  json::object spec{{"replicas", set.replicas},
                    {"selector", SelectorJson(deployment.selector, set.hash)},
                    {"template", TemplateWithHash(deployment.machine_template, set.hash)}};
  if (deployment.min_ready_seconds != 0) spec["minReadySeconds"] = deployment.min_ready_seconds;
  if (deployment.auto_preserve_max != 0) {
    spec["autoPreserveFailedMachineMax"] = deployment.auto_preserve_max;
  }
  return {{"apiVersion", kApiVersion},
          {"kind", kSetKind},
          {"metadata", std::move(metadata)},
          {"spec", std::move(spec)}};
}

}  // namespace millwright::dialects::gardener
