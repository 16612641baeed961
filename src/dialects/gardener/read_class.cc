#include <fmt/format.h>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include <array>

#include "dialects/gardener/read.h"
#include "dialects/gardener/read_metadata.h"
#include "kube/api/json_text.h"

namespace millwright::dialects::gardener {

namespace json = boost::json;
using kube::ForEachField;
using kube::JsonObject;
using kube::JsonValue;
using kube::ReadInto;

namespace {

constexpr std::array<const char*, 3> kNeededCapacity = {"cpu", "gpu", "memory"};
constexpr std::array<const char*, 3> kNeededTexts = {"instanceType", "region", "zone"};

Result<void> ReadSecretReference(JsonValue value, std::optional<kube::ObjectKey>& target) {
  kube::ObjectKey key;
  CHECK_OK(ForEachField(value, [&](std::string_view name, JsonValue field) -> Result<void> {
    if (name == "name") return ReadInto(field, key.name);
    if (name == "namespace") return ReadInto(field, key.namespace_);
    return {};
  }));
  if (!key.name.empty()) target = std::move(key);
  return {};
}

std::string NodeTemplateProblem(const json::value& node_template) {
  for (const char* resource : kNeededCapacity) {
    const json::object* capacity = kube::GetObject(node_template, "capacity");
    if (capacity == nullptr || !capacity->contains(resource)) {
      return fmt::format("nodeTemplate.capacity has no {}: write how much a node has", resource);
    }
  }
  for (const char* field : kNeededTexts) {
    if (kube::GetString(node_template, field).empty()) {
      return fmt::format("nodeTemplate.{} is missing: write it, or leave nodeTemplate out", field);
    }
  }
  return {};
}

Result<void> ReadNodeTemplate(JsonValue value, ClassRecord& record, SharedParts& parts) {
  if (kube::IsNull(value)) return {};
  TRY(const std::string_view raw, kube::RawJson(value));
  TRY(const json::value node_template, kube::ParseJson(raw));
  record.instance_type = kube::GetString(node_template, "instanceType");
  record.problem = NodeTemplateProblem(node_template);
  if (const json::object* capacity = kube::GetObject(node_template, "virtualCapacity")) {
    TRY(record.virtual_capacity, parts.Text(json::serialize(*capacity)));
  }
  return {};
}

}  // namespace

Result<ClassRecord> ReadClass(JsonObject object, SharedParts& parts) {
  ClassRecord record;
  Metadata metadata;
  std::optional<kube::ObjectKey> secret;
  std::optional<kube::ObjectKey> credentials;
  CHECK_OK(ForEachField(object, [&](std::string_view key, JsonValue value) -> Result<void> {
    if (key == "metadata") return ReadMetadata(value, metadata);
    if (key == "provider") return ReadInto(value, record.provider);
    if (key == "nodeTemplate") return ReadNodeTemplate(value, record, parts);
    if (key == "providerSpec") {
      TRY(const std::string_view raw, kube::RawJson(value));
      record.provider_spec = parts.Verbatim(raw);
    }
    if (key == "secretRef") return ReadSecretReference(value, secret);
    if (key == "credentialsSecretRef") return ReadSecretReference(value, credentials);
    return {};
  }));
  for (const auto& reference : {secret, credentials}) {
    if (reference) record.secrets.push_back(*reference);
  }
  if (record.problem.empty() &&
      (record.provider_spec.empty() || record.provider_spec.view() == "null")) {
    record.problem = "providerSpec is missing: describe the instances of this class";
  }
  record.meta = std::move(metadata.meta);
  record.finalizers = std::move(metadata.finalizers);
  // A reference without a namespace is to the class's own.
  for (kube::ObjectKey& key : record.secrets) {
    if (key.namespace_.empty()) key.namespace_ = record.meta.key.namespace_;
  }
  return record;
}

}  // namespace millwright::dialects::gardener
