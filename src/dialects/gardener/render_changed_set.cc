// What a deployment changes on a set that exists.
#include "core/rollout/revision.h"
#include "dialects/gardener/names.h"
#include "dialects/gardener/read_metadata.h"
#include "dialects/gardener/render.h"
#include "dialects/gardener/render_parts.h"
#include "dialects/gardener/skipped_annotations.h"
#include "dialects/gardener/template_hash.h"

namespace millwright::dialects::gardener {

namespace json = boost::json;

namespace {

// Notes a text unless it is there already.
void Note(json::object& changes, const kube::Labels& present, std::string_view key,
          const std::string& text) {
  const std::string* shown = FindText(present, key);
  if (shown == nullptr || *shown != text) changes[key] = text;
}

void Forget(json::object& changes, const kube::Labels& present, std::string_view key) {
  if (present.contains(key)) changes[key] = nullptr;
}

json::object AnnotationChanges(const DeploymentRecord& deployment, const SetRecord& set,
                               const SetWish& wish) {
  const kube::Labels& present = set.annotations;
  json::object changes;
  if (wish.hand_down) {
    for (const auto& [key, value] : deployment.annotations) {
      if (IsCopied(key)) Note(changes, present, key, value);
    }
  }
  if (wish.desired_note) {
    Note(changes, present, annotations::kDesiredReplicas, std::to_string(*wish.desired_note));
  }
  if (wish.max_note) {
    Note(changes, present, annotations::kMaxReplicas, std::to_string(*wish.max_note));
  }
  if (wish.revision && *wish.revision != set.core.revision) {
    changes[annotations::kRevision] = std::to_string(*wish.revision);
    const std::string_view history = TextAt(present, annotations::kRevisionHistory);
    const std::string extended = core::ExtendHistory(history, set.core.revision, *wish.revision);
    if (extended != history) changes[annotations::kRevisionHistory] = extended;
  }
  if (wish.nodes_marked && *wish.nodes_marked) {
    Note(changes, present, annotations::kPreferNoSchedule, "True");
  } else if (wish.nodes_marked) {
    Forget(changes, present, annotations::kPreferNoSchedule);
  }
  if (wish.frozen && !*wish.frozen) Forget(changes, present, annotations::kUnfreeze);
  return changes;
}

json::object LabelChanges(const SetRecord& set, const SetWish& wish) {
  json::object changes;
  if (wish.creation_disabled && *wish.creation_disabled) {
    if (!set.core.creation_disabled) changes[labels::kScaleUpDisabled] = "true";
  } else if (wish.creation_disabled) {
    Forget(changes, set.labels, labels::kScaleUpDisabled);
  }
  if (wish.frozen && *wish.frozen) {
    Note(changes, set.labels, labels::kFreeze, "True");
  } else if (wish.frozen) {
    Forget(changes, set.labels, labels::kFreeze);
  }
  return changes;
}

json::object SpecChanges(const DeploymentRecord& deployment, const SetRecord& set,
                         const SetWish& wish) {
  json::object changes;
  if (wish.replicas && *wish.replicas != set.core.replicas) changes["replicas"] = *wish.replicas;
  if (!wish.hand_down) return changes;
  if (deployment.min_ready_seconds != set.min_ready_seconds) {
    changes["minReadySeconds"] = deployment.min_ready_seconds;
  }
  if (deployment.auto_preserve_max != set.auto_preserve_max) {
    changes["autoPreserveFailedMachineMax"] = deployment.auto_preserve_max;
  }
  json::object passed =
      Difference(set.machine_template.passes.view(), deployment.machine_template.passes.view());
  if (!passed.empty()) changes["template"] = json::object{{"spec", std::move(passed)}};
  return changes;
}

// Two patches that never say anything about the same value.
void Join(json::object& patch, const json::object& more) {
  for (const auto& [key, value] : more) {
    json::value& place = patch[key];
    if (place.is_object() && value.is_object()) {
      Join(place.get_object(), value.get_object());
    } else {
      place = value;
    }
  }
}

}  // namespace

json::object ChangedSet(const DeploymentRecord& deployment, const SetRecord& set,
                        const SetWish& wish) {
  json::object patch;
  AddMetadata(patch, "annotations", AnnotationChanges(deployment, set, wish));
  AddMetadata(patch, "labels", LabelChanges(set, wish));
  AddSpec(patch, SpecChanges(deployment, set, wish));
  Join(patch, HashOnSet(set));
  return patch;
}

}  // namespace millwright::dialects::gardener
