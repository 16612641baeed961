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

// An object whose spec and status are read field by field.
Result<void> ReadParts(JsonObject object, auto spec, auto status) {
  if (const auto code = object.reset().error()) return Failure(kube::JsonError(code));
  return ForEachField(object, [&](std::string_view key, JsonValue value) -> Result<void> {
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
  TRY(static_cast<capi::ExternalRecord&>(record), contract_.External(object));
  const auto spec = [&](std::string_view key, JsonValue value) -> Result<void> {
    if (key == "provider") return ReadInto(value, record.provider);
    if (key == "providerSpec") {
      return capi::ReadCanonical(value, contract_.texts(), record.provider_spec);
    }
    if (key == "secretRef") return ReadMember(value, "name", record.secret);
    return {};
  };
  const auto status = [&](std::string_view key, JsonValue value) -> Result<void> {
    if (key == "remembered") return ReadInto(value, record.remembered);
    if (key == "conditions")
      return capi::ReadConditions(value, contract_.texts(), record.conditions);
    return {};
  };
  CHECK_OK(ReadParts(object, spec, status));
  return record;
}

Result<BootstrapRecord> Reader::Bootstrap(JsonObject object) {
  BootstrapRecord record;
  TRY(static_cast<capi::ExternalRecord&>(record), contract_.External(object));
  const auto spec = [&](std::string_view key, JsonValue value) -> Result<void> {
    if (key == "tokenGroups") return ReadInto(value, record.token_groups);
    return key == "userData" ? ReadInto(value, contract_.texts(), record.user_data)
                             : Result<void>();
  };
  const auto status = [&](std::string_view key, JsonValue value) -> Result<void> {
    return key == "conditions" ? capi::ReadConditions(value, contract_.texts(), record.conditions)
                               : Result<void>();
  };
  CHECK_OK(ReadParts(object, spec, status));
  return record;
}

Result<ClusterPartRecord> Reader::ClusterPart(JsonObject object) {
  ClusterPartRecord record;
  CHECK_OK(ForEachField(object, [&](std::string_view key, JsonValue value) -> Result<void> {
    if (key != "metadata") return {};
    return capi::ReadHeader(value, record, contract_.texts());
  }));
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
  CHECK_OK(ReadParts(object, spec, status));
  return record;
}

}  // namespace millwright::controllers::supply
