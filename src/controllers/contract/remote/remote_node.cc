#include "controllers/contract/remote/remote_node.h"

namespace millwright::controllers::contract {

using kube::ForEachField;
using kube::JsonObject;
using kube::JsonValue;

namespace {

Result<void> ReadInfo(JsonValue value, RemoteNode& node, dialects::capi::Reader& reader) {
  if (kube::IsNull(value)) return {};
  JsonObject info;
  if (value.get_object().get(info)) return Fail(ErrorKind::kInvalid, "is not an object");
  CHECK_OK(ForEachField(info, [&](std::string_view key, JsonValue field) -> Result<void> {
    return key == "kubeletVersion" ? kube::ReadInto(field, node.kubelet_version) : Result<void>();
  }));
  std::string_view text;
  if (const auto code = info.reset().error()) return Failure(kube::JsonError(code));
  if (const auto code = info.raw_json().get(text)) return Failure(kube::JsonError(code));
  TRY(node.info, reader.Canonical(text));
  return {};
}

}  // namespace

Result<RemoteNode> ReadRemoteNode(JsonObject object, dialects::NodeReader& nodes,
                                  dialects::capi::Reader& reader) {
  RemoteNode node;
  TRY(static_cast<dialects::NodeRecord&>(node), nodes.Read(object));
  if (const auto code = object.reset().error()) return Failure(kube::JsonError(code));
  CHECK_OK(ForEachField(object, [&](std::string_view key, JsonValue value) -> Result<void> {
    if (key != "status") return {};
    return ForEachField(value, [&](std::string_view name, JsonValue field) -> Result<void> {
      return name == "nodeInfo" ? ReadInfo(field, node, reader) : Result<void>();
    });
  }));
  return node;
}

bool IsUnreachable(const dialects::NodeRecord& node) {
  const auto ready = node.conditions.Find("Ready");
  return ready && ready->status == "Unknown";
}

}  // namespace millwright::controllers::contract
