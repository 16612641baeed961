#include "controllers/drain/pod_record.h"

namespace millwright::controllers {

using kube::ForEachField;
using kube::ForEachItem;
using kube::JsonObject;
using kube::JsonValue;
using kube::ReadInto;

namespace {

constexpr std::string_view kMirror = "kubernetes.io/config.mirror";

Result<void> ReadSeconds(JsonValue value, std::optional<Duration>& target) {
  std::optional<std::int64_t> seconds;
  CHECK_OK(ReadInto(value, seconds));
  if (seconds) target = std::chrono::seconds(*seconds);
  return {};
}

Result<void> ReadOwner(JsonValue value, PodRecord& pod) {
  std::string kind;
  bool controls = false;
  CHECK_OK(ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "kind") return ReadInto(field, kind);
    if (key == "controller") return ReadInto(field, controls);
    return {};
  }));
  if (controls) pod.controller = std::move(kind);
  return {};
}

Result<void> ReadMetadata(JsonValue value, PodRecord& pod) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "labels") {
      return ForEachField(field, [&](std::string_view label, JsonValue text) {
        return ReadInto(text, pod.labels[std::string(label)]);
      });
    }
    if (key == "annotations") {
      return ForEachField(field, [&](std::string_view annotation, JsonValue) -> Result<void> {
        pod.is_mirror = pod.is_mirror || annotation == kMirror;
        return {};
      });
    }
    if (key == "ownerReferences") {
      return ForEachItem(field, [&](JsonValue item) { return ReadOwner(item, pod); });
    }
    if (key == "deletionGracePeriodSeconds") return ReadSeconds(field, pod.deletion_grace);
    return kube::ReadMetaField(key, field, pod.meta);
  });
}

// Volumes made for the pod alone (ephemeral ones) do not count: they go with it.
Result<void> ReadVolume(JsonValue value, PodRecord& pod) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "emptyDir") pod.uses_empty_dir = true;
    if (key != "persistentVolumeClaim") return {};
    return ForEachField(field, [&](std::string_view name, JsonValue claim) -> Result<void> {
      return name == "claimName" ? ReadInto(claim, pod.claims.emplace_back()) : Result<void>();
    });
  });
}

Result<void> ReadSpec(JsonValue value, PodRecord& pod) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "priority") return ReadInto(field, pod.priority);
    if (key == "terminationGracePeriodSeconds") {
      std::optional<Duration> grace;
      CHECK_OK(ReadSeconds(field, grace));
      pod.grace = grace.value_or(pod.grace);
      return {};
    }
    if (key != "volumes") return {};
    return ForEachItem(field, [&](JsonValue item) { return ReadVolume(item, pod); });
  });
}

core::Pod::Owner OwnerOf(const PodRecord& record) {
  if (record.controller.empty()) return core::Pod::Owner::kNobody;
  return record.controller == "DaemonSet" ? core::Pod::Owner::kDaemonSet : core::Pod::Owner::kOther;
}

}  // namespace

Result<PodRecord> ReadPod(JsonObject object) {
  PodRecord pod;
  CHECK_OK(ForEachField(object, [&](std::string_view key, JsonValue value) -> Result<void> {
    if (key == "metadata") return ReadMetadata(value, pod);
    if (key == "spec") return ReadSpec(value, pod);
    if (key != "status") return {};
    return ForEachField(value, [&](std::string_view name, JsonValue field) -> Result<void> {
      return name == "phase" ? ReadInto(field, pod.phase) : Result<void>();
    });
  }));
  return pod;
}

core::Pod AsPod(const PodRecord& record) {
  core::Pod pod{.uid = record.meta.uid,
                .key = record.meta.key.ToString(),
                .owner = OwnerOf(record),
                .is_mirror = record.is_mirror,
                .is_finished = record.phase == "Succeeded" || record.phase == "Failed",
                .uses_local_data = record.uses_empty_dir,
                .priority = record.priority,
                .grace = record.grace};
  // What a pod says is when its grace ends, not when it began.
  if (record.meta.deleting_since) {
    pod.deleting_since = *record.meta.deleting_since - record.deletion_grace.value_or(Duration{});
  }
  for (const std::string& claim : record.claims) {
    pod.volumes.push_back(record.meta.key.namespace_ + "/" + claim);
  }
  return pod;
}

}  // namespace millwright::controllers
