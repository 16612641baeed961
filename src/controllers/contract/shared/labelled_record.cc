#include "controllers/contract/shared/labelled_record.h"

namespace millwright::controllers::contract {

using kube::ForEachField;
using kube::JsonObject;
using kube::JsonValue;

Result<LabelledRecord> ReadLabelled(JsonObject object) {
  LabelledRecord record;
  CHECK_OK(ForEachField(object, [&](std::string_view key, JsonValue value) -> Result<void> {
    if (key != "metadata") return {};
    return ForEachField(value, [&](std::string_view name, JsonValue field) -> Result<void> {
      if (name != "labels") return kube::ReadMetaField(name, field, record.meta);
      return ForEachField(field, [&](std::string_view label, JsonValue text) {
        return kube::ReadInto(text, record.labels[std::string(label)]);
      });
    });
  }));
  return record;
}

}  // namespace millwright::controllers::contract
