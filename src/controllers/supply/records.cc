#include "controllers/supply/records.h"

#include "controllers/supply/kinds.h"
#include "dialects/capi/names.h"
#include "dialects/capi/read_header.h"
#include "dialects/capi/read_parts.h"

namespace millwright::controllers::supply {

using kube::ForEachField;
using kube::JsonObject;
using kube::JsonValue;
using kube::ReadInto;

namespace {

// One field of an object inside another.
Result<void> ReadMember(JsonValue value, std::string_view name, auto& target) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    return key == name ? ReadInto(field, target) : Result<void>();
  });
}

// An object whose metadata, spec and status are read field by field.
Result<void> ReadObject(JsonObject object, capi::Header& header, kube::TextPool& texts, auto spec,
                        auto status) {
  return ForEachField(object, [&](std::string_view key, JsonValue value) -> Result<void> {
    if (key == "metadata") return capi::ReadHeader(value, header, texts);
    if (key == "spec") return ForEachField(value, spec);
    if (key == "status") return ForEachField(value, status);
    return {};
  });
}

}  // namespace

Uid MadeFor(const InstanceRecord& instance) {
  const auto noted = instance.annotations.find(kMadeFor);
  return noted != instance.annotations.end() ? Uid(noted->second) : instance.meta.uid;
}

bool IsInDoubt(const InstanceRecord& instance) {
  return instance.provider_id.empty() &&
         instance.annotations.contains(capi::annotations::kInstanceInDoubt);
}

Result<InstanceRecord> Reader::Instance(JsonObject object) {
  InstanceRecord record;
  const auto spec = [&](std::string_view key, JsonValue value) -> Result<void> {
    if (key == "provider") return ReadInto(value, record.provider);
    if (key == "providerSpec") return capi::ReadCanonical(value, texts_, record.provider_spec);
    if (key == "secretRef") return ReadMember(value, "name", record.secret);
    if (key == "providerID") return ReadInto(value, record.provider_id);
    return {};
  };
  const auto status = [&](std::string_view key, JsonValue value) -> Result<void> {
    if (key == "initialization") return ReadMember(value, "provisioned", record.provisioned);
    if (key == "remembered") return ReadInto(value, record.remembered);
    if (key == "conditions") return capi::ReadConditions(value, record.conditions);
    return {};
  };
  CHECK_OK(ReadObject(object, record, texts_, spec, status));
  return record;
}

Result<BootstrapRecord> Reader::Bootstrap(JsonObject object) {
  BootstrapRecord record;
  const auto spec = [&](std::string_view key, JsonValue value) -> Result<void> {
    if (key == "tokenGroups") return ReadInto(value, record.token_groups);
    if (key != "userData") return {};
    std::string text;
    CHECK_OK(ReadInto(value, text));
    record.user_data = texts_.Share(text);
    return {};
  };
  const auto status = [&](std::string_view key, JsonValue value) -> Result<void> {
    if (key == "initialization") return ReadMember(value, "dataSecretCreated", record.data_created);
    if (key == "dataSecretName") return ReadInto(value, record.data_secret);
    if (key == "conditions") return capi::ReadConditions(value, record.conditions);
    return {};
  };
  CHECK_OK(ReadObject(object, record, texts_, spec, status));
  return record;
}

Result<ClusterPartRecord> Reader::ClusterPart(JsonObject object) {
  ClusterPartRecord record;
  const auto spec = [&](std::string_view key, JsonValue value) -> Result<void> {
    return key == "version" ? ReadInto(value, record.version) : Result<void>();
  };
  const auto status = [&](std::string_view key, JsonValue value) -> Result<void> {
    if (key == "version") return ReadInto(value, record.shown_version);
    if (key != "initialization") return {};
    return ForEachField(value, [&](std::string_view name, JsonValue field) -> Result<void> {
      const bool ours = name == "provisioned" || name == "controlPlaneInitialized";
      return ours ? ReadInto(field, record.done) : Result<void>();
    });
  };
  CHECK_OK(ReadObject(object, record, texts_, spec, status));
  return record;
}

}  // namespace millwright::controllers::supply
