#include "benchmarks/node_view.h"

namespace millwright::benchmarks {

using kube::ForEachField;
using kube::JsonObject;
using kube::JsonValue;
using kube::ReadInto;

namespace {

// The texts of a Node before they are shared.
struct Texts {
  std::string labels;
  std::string taints;
  std::string conditions;
  std::string kubelet_version;
};

template <class Visit>
Result<void> ForEachItem(JsonValue value, Visit visit) {
  kube::JsonArray items;
  if (const auto code = value.get_array().get(items)) return Failure(kube::JsonError(code));
  for (auto item : items) {
    JsonValue object;
    if (const auto code = item.get(object)) return Failure(kube::JsonError(code));
    CHECK_OK(visit(object));
  }
  return {};
}

// Up to three fields of an object, as text.
Result<void> ReadTexts(JsonValue object, std::initializer_list<std::string_view> names,
                       std::string* values) {
  return ForEachField(object, [&](std::string_view key, JsonValue field) -> Result<void> {
    const auto it = std::ranges::find(names, key);
    if (it == names.end()) return {};
    return ReadInto(field, values[it - names.begin()]);
  });
}

Result<void> ReadCondition(JsonValue value, NodeView& node, Texts& texts) {
  std::string type;
  std::string status;
  std::string reason;
  WallTime since{};
  CHECK_OK(ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "type") return ReadInto(field, type);
    if (key == "status") return ReadInto(field, status);
    if (key == "reason") return ReadInto(field, reason);
    if (key == "lastTransitionTime") return ReadInto(field, since);
    return {};
  }));
  texts.conditions += type + "=" + status + " " + reason + "\n";
  node.since.push_back(
      std::chrono::duration_cast<std::chrono::seconds>(since.time_since_epoch()).count());
  return {};
}

Result<void> ReadTaint(JsonValue value, std::string& lines) {
  std::string parts[3];
  CHECK_OK(ReadTexts(value, {"key", "value", "effect"}, parts));
  lines += parts[0] + "=" + parts[1] + ":" + parts[2] + "\n";
  return {};
}

Result<void> ReadAddress(JsonValue value, std::string& lines) {
  std::string parts[2];
  CHECK_OK(ReadTexts(value, {"type", "address"}, parts));
  lines += parts[0] + "=" + parts[1] + "\n";
  return {};
}

Result<void> ReadMetadata(JsonValue value, NodeView& node, Texts& texts) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key != "labels") return kube::ReadMetaField(key, field, node.meta);
    return ForEachField(field, [&](std::string_view name, JsonValue text) -> Result<void> {
      if (name == "kubernetes.io/hostname") return {};  // one of the addresses
      std::string label;
      CHECK_OK(ReadInto(text, label));
      texts.labels.append(name).append("=").append(label).append("\n");
      return {};
    });
  });
}

Result<void> ReadSpec(JsonValue value, NodeView& node, Texts& texts) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "providerID") return ReadInto(field, node.provider_id);
    if (key == "unschedulable") return ReadInto(field, node.unschedulable);
    if (key != "taints") return {};
    return ForEachItem(field, [&](JsonValue item) { return ReadTaint(item, texts.taints); });
  });
}

Result<void> ReadStatus(JsonValue value, NodeView& node, Texts& texts) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "addresses") {
      return ForEachItem(field, [&](JsonValue item) { return ReadAddress(item, node.addresses); });
    }
    if (key == "nodeInfo") return ReadTexts(field, {"kubeletVersion"}, &texts.kubelet_version);
    if (key != "conditions") return {};
    return ForEachItem(field, [&](JsonValue item) { return ReadCondition(item, node, texts); });
  });
}

}  // namespace

Result<NodeView> NodeDecoder::operator()(JsonObject object) const {
  NodeView node;
  Texts texts;
  CHECK_OK(ForEachField(object, [&](std::string_view key, JsonValue value) -> Result<void> {
    if (key == "metadata") return ReadMetadata(value, node, texts);
    if (key == "spec") return ReadSpec(value, node, texts);
    if (key == "status") return ReadStatus(value, node, texts);
    return {};
  }));
  node.labels = pool_->Share(texts.labels);
  node.taints = pool_->Share(texts.taints);
  node.conditions = pool_->Share(texts.conditions);
  node.kubelet_version = pool_->Share(texts.kubelet_version);
  // Kept for long: no room for growth that never comes.
  node.addresses.shrink_to_fit();
  node.since.shrink_to_fit();
  return node;
}

}  // namespace millwright::benchmarks
