#include "apiserver/rest/object_text.h"

#include <boost/json.hpp>

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

void AppendMember(const json::key_value_pair& member, std::string& text) {
  text += text.size() == 1 ? "" : ",";
  text += json::serialize(json::string_view(member.key()));
  text += ':';
  text += json::serialize(member.value());
}

// What InVersion exchanges: {"apiVersion":"g/v1","kind":"Kind"
std::size_t FrontSize(const Record& record, const Resource& resource) {
  const std::string kind = "\"kind\":\"" + resource.kind.kind + "\"";
  const auto at = record.value.find(kind);
  return at == std::string::npos ? 0 : at + kind.size();
}

std::string Front(const Resource& resource) {
  return R"({"apiVersion":")" + resource.kind.ApiVersion() + R"(","kind":")" + resource.kind.kind +
         '"';
}

}  // namespace

std::string WriteObject(const json::value& object) {
  const json::object& members = object.get_object();
  std::string text = "{";
  for (const char* first : {"apiVersion", "kind"}) {
    const auto it = members.find(first);
    if (it != members.end()) AppendMember(*it, text);
  }
  for (const json::key_value_pair& member : members) {
    if (member.key() != "apiVersion" && member.key() != "kind") AppendMember(member, text);
  }
  return text + "}";
}

ValueBuilder VersionedText(json::value object) {
  return [object = std::move(object)](Revision revision) mutable {
    SetResourceVersion(object, VersionText(revision));
    return WriteObject(object);
  };
}

std::string InVersion(const Record& record, const Resource& resource) {
  const std::string front = Front(resource);
  if (record.value.starts_with(front)) return record.value;
  return front + record.value.substr(FrontSize(record, resource));
}

void AppendItem(const Record& record, const Resource& resource, std::string& list) {
  if (resource.custom) {
    const std::string front = Front(resource);
    if (record.value.starts_with(front)) {
      list += record.value;
    } else {
      list += front;
      list.append(record.value, FrontSize(record, resource));
    }
    return;
  }
  list += '{';
  list.append(record.value, FrontSize(record, resource) + 1);  // with the comma
}

std::string VersionText(Revision revision) { return std::to_string(revision); }

void SetResourceVersion(json::value& object, std::string_view version) {
  json::value& metadata = object.get_object()["metadata"];
  if (!metadata.is_object()) metadata = json::object();
  if (version.empty()) {
    metadata.get_object().erase("resourceVersion");
  } else {
    metadata.get_object()["resourceVersion"] = version;
  }
}

}  // namespace millwright::apiserver
