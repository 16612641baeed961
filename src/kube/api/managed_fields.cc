#include "kube/api/managed_fields.h"

#include <algorithm>
#include <chrono>
#include <tuple>
#include <utility>
#include <vector>

#include <boost/json.hpp>

#include "kube/api/typed_text.h"

namespace millwright::kube {

namespace json = boost::json;

namespace {

std::string_view OperationText(ManageOperation operation) {
  return operation == ManageOperation::kApply ? "Apply" : "Update";
}

Result<std::string> ReadText(const json::object& entry, std::string_view name) {
  const json::value* value = entry.if_contains(name);
  if (value == nullptr || value->is_null()) return std::string();
  if (const auto* text = value->if_string()) return std::string(*text);
  return Fail(ErrorKind::kInvalid, std::string(name) + " must be a string");
}

Result<std::optional<WallTime>> ReadTime(const json::object& entry) {
  TRY(const std::string text, ReadText(entry, "time"));
  if (text.empty()) return std::optional<WallTime>();
  TRY(const WallTime time, ParseTime(text));
  return std::chrono::floor<std::chrono::seconds>(time);
}

Result<ManageOperation> ReadOperation(const json::object& entry) {
  TRY(const std::string text, ReadText(entry, "operation"));
  if (text == "Apply") return ManageOperation::kApply;
  if (text == "Update") return ManageOperation::kUpdate;
  return Fail(ErrorKind::kInvalid, "operation must be `Apply` or `Update`");
}

Result<void> CheckFieldsType(const json::object& entry, std::size_t index) {
  TRY(const std::string type, ReadText(entry, "fieldsType"));
  if (type == "FieldsV1") return Ok();
  const std::string where = " in managed fields entry " + std::to_string(index);
  return Fail(ErrorKind::kInvalid, type.empty() ? "missing fieldsType" + where
                                                : "invalid fieldsType " + QuotedText(type) + where);
}

Result<ManagerId> ReadManager(const json::object& entry, const std::string& api_version) {
  TRY(const ManageOperation operation, ReadOperation(entry));
  TRY(std::string manager, ReadText(entry, "manager"));
  TRY(std::string subresource, ReadText(entry, "subresource"));
  if (operation == ManageOperation::kApply) {
    return ManagerId::Applier(std::move(manager), std::move(subresource));
  }
  return ManagerId::Updater(std::move(manager), api_version, std::move(subresource));
}

Result<void> ReadEntry(const json::value& value, std::size_t index, ManagedFields& out) {
  const auto* entry = value.if_object();
  if (entry == nullptr) return Fail(ErrorKind::kInvalid, "an entry must be an object");
  TRY(std::string api_version, ReadText(*entry, "apiVersion"));
  TRY(ManagerId id, ReadManager(*entry, api_version));
  if (api_version.empty()) return Fail(ErrorKind::kInvalid, "apiVersion must not be empty");
  CHECK_OK(CheckFieldsType(*entry, index));
  ManagedEntry managed;
  managed.api_version = std::move(api_version);
  if (const auto* fields = entry->if_contains("fieldsV1");
      fields != nullptr && !fields->is_null()) {
    TRY(managed.fields, FieldSet::FromJson(*fields));
  }
  TRY(managed.time, ReadTime(*entry));
  out.insert_or_assign(std::move(id), std::move(managed));
  return Ok();
}

json::object WriteEntry(const ManagerId& id, const ManagedEntry& entry) {
  json::object out;
  out["apiVersion"] = entry.api_version;
  out["fieldsType"] = "FieldsV1";
  out["fieldsV1"] = entry.fields.ToJson();
  out["manager"] = id.manager;
  out["operation"] = OperationText(id.operation);
  if (!id.subresource.empty()) out["subresource"] = id.subresource;
  if (entry.time) out["time"] = FormatTime(*entry.time);
  return out;
}

WallTime TimeOf(const ManagedEntry& entry) { return entry.time.value_or(WallTime()); }

}  // namespace

ManagerId ManagerId::Applier(std::string manager, std::string subresource) {
  return {std::move(manager), ManageOperation::kApply, "", std::move(subresource)};
}

ManagerId ManagerId::Updater(std::string manager, std::string api_version,
                             std::string subresource) {
  return {std::move(manager), ManageOperation::kUpdate, std::move(api_version),
          std::move(subresource)};
}

std::strong_ordering operator<=>(const ManagerId& a, const ManagerId& b) {
  const auto rank = [](const ManagerId& id) {
    return std::tuple(std::string_view(id.manager), id.operation, std::string_view(id.api_version),
                      id.subresource.empty(), std::string_view(id.subresource));
  };
  return rank(a) <=> rank(b);
}

std::string ManagerId::ToString() const {
  std::string text = QuotedText(manager);
  if (!subresource.empty()) text += " with subresource " + QuotedText(subresource);
  if (operation == ManageOperation::kUpdate) text += " using " + api_version;
  return text;
}

Result<ManagedFields> DecodeManagedFields(const json::array& entries) {
  ManagedFields managed;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    CHECK_OK(ReadEntry(entries[i], i, managed));
  }
  return managed;
}

json::array EncodeManagedFields(const ManagedFields& managed) {
  std::vector<const ManagedFields::value_type*> order;
  order.reserve(managed.size());
  for (const auto& entry : managed) order.push_back(&entry);
  std::ranges::sort(order, {}, [](const auto* entry) {
    const auto& [id, fields] = *entry;
    return std::tuple(id.operation, TimeOf(fields), std::string_view(id.manager),
                      std::string_view(fields.api_version), std::string_view(id.subresource));
  });
  json::array out;
  for (const auto* entry : order) out.push_back(WriteEntry(entry->first, entry->second));
  return out;
}

const json::array* FindManagedFields(const json::value& object) {
  const auto* fields = object.if_object();
  const json::value* metadata = fields == nullptr ? nullptr : fields->if_contains("metadata");
  const auto* meta = metadata == nullptr ? nullptr : metadata->if_object();
  const json::value* list = meta == nullptr ? nullptr : meta->if_contains("managedFields");
  return list == nullptr ? nullptr : list->if_array();
}

void StoreManagedFields(const ManagedFields& managed, json::value& object) {
  auto* fields = object.if_object();
  if (fields == nullptr) return;
  json::value* metadata = fields->if_contains("metadata");
  if (managed.empty()) {
    if (metadata != nullptr && metadata->is_object()) metadata->get_object().erase("managedFields");
    return;
  }
  if (metadata == nullptr || !metadata->is_object()) {
    metadata = &((*fields)["metadata"] = json::object());
  }
  metadata->get_object()["managedFields"] = EncodeManagedFields(managed);
}

json::value WithoutManagedFields(const json::value& object) {
  json::value copy = object;
  StoreManagedFields({}, copy);
  return copy;
}

void CapUpdaters(ManagedFields& managed, std::size_t limit) {
  std::vector<ManagerId> updaters;
  for (const auto& [id, entry] : managed) {
    if (id.operation == ManageOperation::kUpdate) updaters.push_back(id);
  }
  std::ranges::sort(updaters, {}, [&managed](const ManagerId& id) {
    return std::tuple(TimeOf(managed.at(id)), std::cref(id));
  });
  // Only fields of one version can be merged: the first of each version waits for a second one.
  std::map<std::string, ManagerId> first;
  std::size_t left = updaters.size();
  for (const auto& id : updaters) {
    if (left <= limit) return;
    if (first.emplace(id.api_version, id).second) continue;
    const auto bucket = ManagerId::Updater("ancient-changes", id.api_version, "");
    if (id == bucket) continue;
    if (!managed.contains(bucket)) {
      auto oldest = managed.extract(first.at(id.api_version));
      oldest.key() = bucket;
      managed.insert(std::move(oldest));
    }
    ManagedEntry& merged = managed.at(bucket);
    merged.fields = merged.fields.Union(managed.at(id).fields);
    merged.time = managed.at(id).time;
    managed.erase(id);
    --left;
  }
}

}  // namespace millwright::kube
