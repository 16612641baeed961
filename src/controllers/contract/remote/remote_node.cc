#include "controllers/contract/remote/remote_node.h"

#include <map>

#include "kube/api/json_text.h"

namespace millwright::controllers::contract {

using kube::ForEachField;
using kube::JsonObject;
using kube::JsonValue;

namespace {

Result<void> ReadInfo(JsonValue value, RemoteNode& node, kube::TextPool& texts) {
  std::map<std::string, std::string> fields;
  CHECK_OK(ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    // Of fields that are no text (swap), nothing is shown.
    std::string_view text;
    if (field.get_string().get(text)) return {};
    if (key == "kubeletVersion") node.kubelet_version = text;
    fields.emplace(key, text);
    return {};
  }));
  boost::json::object info;
  for (auto& [key, text] : fields) info.emplace(key, std::move(text));
  if (!info.empty()) node.info = texts.Share(boost::json::serialize(info));
  return {};
}

}  // namespace

Result<RemoteNode> ReadRemoteNode(JsonObject object, kube::TextPool& texts) {
  RemoteNode node;
  TRY(static_cast<dialects::NodeRecord&>(node), dialects::ReadNode(object));
  if (const auto code = object.reset().error()) return Failure(kube::JsonError(code));
  CHECK_OK(ForEachField(object, [&](std::string_view key, JsonValue value) -> Result<void> {
    if (key != "status") return {};
    return ForEachField(value, [&](std::string_view name, JsonValue field) -> Result<void> {
      return name == "nodeInfo" ? ReadInfo(field, node, texts) : Result<void>();
    });
  }));
  return node;
}

bool IsUnreachable(const dialects::NodeRecord& node) {
  const core::Condition* ready = core::FindCondition(node.conditions, "Ready");
  return ready != nullptr && ready->status == "Unknown";
}

}  // namespace millwright::controllers::contract
