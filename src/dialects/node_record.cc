#include "dialects/node_record.h"

namespace millwright::dialects {

using kube::ForEachField;
using kube::ForEachItem;
using kube::JsonObject;
using kube::JsonValue;
using kube::ReadInto;

// One node being read.
class NodeReader::Pass {
 public:
  Pass(NodeReader& reader, NodeRecord& node)
      : reader_(reader), texts_(reader.texts_), node_(node) {}

  Result<void> Metadata(JsonValue value) {
    return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
      if (key == "labels") return reader_.maps_.ReadInto(field, node_.labels);
      if (key == "annotations") return reader_.maps_.ReadInto(field, node_.annotations);
      if (key == "finalizers") return Finalizers(field);
      if (key == "creationTimestamp") return ReadInto(field, node_.created);
      return kube::ReadMetaField(key, field, node_.meta);
    });
  }

  Result<void> Spec(JsonValue value) {
    return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
      if (key == "providerID") return ReadInto(field, texts_, node_.provider_id);
      if (key == "unschedulable") return ReadInto(field, node_.unschedulable);
      return key == "taints" ? Taints(field) : Result<void>();
    });
  }

  Result<void> Status(JsonValue value) {
    return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
      if (key == "conditions") return Conditions(field);
      if (key != "volumesAttached") return {};
      return ForEachItem(field, [&](JsonValue item) { return Volume(item); });
    });
  }

 private:
  Result<void> Finalizers(JsonValue value) {
    std::vector<std::string> finalizers;
    CHECK_OK(ReadInto(value, finalizers));
    if (!finalizers.empty()) node_.finalizers = reader_.finalizers_.Share(std::move(finalizers));
    return {};
  }

  Result<void> Taints(JsonValue value) {
    std::vector<core::Taint> taints;
    CHECK_OK(
        ForEachItem(value, [&](JsonValue item) { return Taint(item, taints.emplace_back()); }));
    if (!taints.empty()) node_.taints = reader_.taints_.Share(std::move(taints));
    return {};
  }

  Result<void> Taint(JsonValue value, core::Taint& taint) {
    return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
      if (key == "key") return ReadInto(field, texts_, taint.key);
      if (key == "value") return ReadInto(field, texts_, taint.value);
      if (key == "effect") return ReadInto(field, texts_, taint.effect);
      return {};
    });
  }

  Result<void> Conditions(JsonValue value) {
    std::vector<core::Condition> list;
    CHECK_OK(
        ForEachItem(value, [&](JsonValue item) { return Condition(item, list.emplace_back()); }));
    node_.conditions = reader_.conditions_.Share(list);
    return {};
  }

  // Heartbeat times are left out: they change all the time and mean nothing to us.
  Result<void> Condition(JsonValue value, core::Condition& condition) {
    return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
      if (key == "type") return ReadInto(field, texts_, condition.type);
      if (key == "status") return ReadInto(field, texts_, condition.status);
      if (key == "lastTransitionTime") return ReadInto(field, condition.since);
      if (key == "reason") return ReadInto(field, texts_, condition.reason);
      if (key == "message") return ReadInto(field, texts_, condition.message);
      return {};
    });
  }

  Result<void> Volume(JsonValue value) {
    return ForEachField(value, [&](std::string_view name, JsonValue volume) -> Result<void> {
      return name == "name" ? ReadInto(volume, node_.attached_volumes.emplace_back())
                            : Result<void>();
    });
  }

  NodeReader& reader_;
  kube::TextPool& texts_;
  NodeRecord& node_;
};

Result<NodeRecord> NodeReader::Read(JsonObject object) {
  NodeRecord node;
  Pass pass(*this, node);
  CHECK_OK(ForEachField(object, [&](std::string_view key, JsonValue value) -> Result<void> {
    if (key == "metadata") return pass.Metadata(value);
    if (key == "spec") return pass.Spec(value);
    if (key == "status") return pass.Status(value);
    return {};
  }));
  return node;
}

Result<NodeRecord> ReadNode(JsonObject object) {
  kube::TextPool texts;
  return NodeReader(texts).Read(object);
}

}  // namespace millwright::dialects
