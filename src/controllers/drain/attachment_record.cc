#include "controllers/drain/attachment_record.h"

namespace millwright::controllers {

using kube::ForEachField;
using kube::JsonObject;
using kube::JsonValue;
using kube::ReadInto;

namespace {

Result<void> ReadSpec(JsonValue value, AttachmentRecord& attachment) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "nodeName") return ReadInto(field, attachment.node);
    if (key != "source") return {};
    return ForEachField(field, [&](std::string_view name, JsonValue volume) -> Result<void> {
      return name == "persistentVolumeName" ? ReadInto(volume, attachment.volume) : Result<void>();
    });
  });
}

}  // namespace

Result<AttachmentRecord> ReadAttachment(JsonObject object) {
  AttachmentRecord attachment;
  CHECK_OK(ForEachField(object, [&](std::string_view key, JsonValue value) -> Result<void> {
    if (key == "metadata") return ReadInto(value, attachment.meta);
    if (key == "spec") return ReadSpec(value, attachment);
    if (key != "status") return {};
    return ForEachField(value, [&](std::string_view name, JsonValue field) -> Result<void> {
      return name == "attached" ? ReadInto(field, attachment.attached) : Result<void>();
    });
  }));
  return attachment;
}

}  // namespace millwright::controllers
