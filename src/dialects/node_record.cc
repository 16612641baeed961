#include "dialects/node_record.h"

namespace millwright::dialects {

using kube::ForEachField;
using kube::ForEachItem;
using kube::JsonObject;
using kube::JsonValue;
using kube::ReadInto;

namespace {

Result<void> ReadLabels(JsonValue value, kube::Labels& labels) {
  return ForEachField(value, [&](std::string_view key, JsonValue text) {
    return ReadInto(text, labels[std::string(key)]);
  });
}

Result<void> ReadMetadata(JsonValue value, NodeRecord& node) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "labels") return ReadLabels(field, node.labels);
    if (key == "annotations") return ReadLabels(field, node.annotations);
    if (key == "finalizers") return ReadInto(field, node.finalizers);
    if (key == "creationTimestamp") return ReadInto(field, node.created);
    return kube::ReadMetaField(key, field, node.meta);
  });
}

Result<void> ReadTaint(JsonValue value, NodeRecord& node) {
  core::Taint taint;
  CHECK_OK(ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "key") return ReadInto(field, taint.key);
    if (key == "value") return ReadInto(field, taint.value);
    if (key == "effect") return ReadInto(field, taint.effect);
    return {};
  }));
  node.taints.push_back(std::move(taint));
  return {};
}

Result<void> ReadSpec(JsonValue value, NodeRecord& node) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "providerID") return ReadInto(field, node.provider_id);
    if (key == "unschedulable") return ReadInto(field, node.unschedulable);
    if (key == "taints") {
      return ForEachItem(field, [&](JsonValue item) { return ReadTaint(item, node); });
    }
    return {};
  });
}

// Heartbeat times are left out: they change all the time and mean nothing to us.
Result<void> ReadCondition(JsonValue value, NodeRecord& node) {
  core::Condition condition;
  CHECK_OK(ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "type") return ReadInto(field, condition.type);
    if (key == "status") return ReadInto(field, condition.status);
    if (key == "lastTransitionTime") return ReadInto(field, condition.since);
    if (key == "reason") return ReadInto(field, condition.reason);
    if (key == "message") return ReadInto(field, condition.message);
    return {};
  }));
  node.conditions.push_back(std::move(condition));
  return {};
}

Result<void> ReadStatus(JsonValue value, NodeRecord& node) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "conditions") {
      return ForEachItem(field, [&](JsonValue item) { return ReadCondition(item, node); });
    }
    if (key != "volumesAttached") return {};
    return ForEachItem(field, [&](JsonValue item) {
      return ForEachField(item, [&](std::string_view name, JsonValue volume) -> Result<void> {
        return name == "name" ? ReadInto(volume, node.attached_volumes.emplace_back())
                              : Result<void>();
      });
    });
  });
}

}  // namespace

Result<NodeRecord> ReadNode(JsonObject object) {
  NodeRecord node;
  CHECK_OK(ForEachField(object, [&](std::string_view key, JsonValue value) -> Result<void> {
    if (key == "metadata") return ReadMetadata(value, node);
    if (key == "spec") return ReadSpec(value, node);
    if (key == "status") return ReadStatus(value, node);
    return {};
  }));
  return node;
}

}  // namespace millwright::dialects
