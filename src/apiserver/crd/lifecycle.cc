#include "apiserver/crd/lifecycle.h"

#include <algorithm>
#include <cctype>
#include <string>

#include <boost/json.hpp>

#include "apiserver/crd/conditions.h"
#include "apiserver/crd/definition.h"
#include "kube/api/json_text.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

constexpr int kWebhookPort = 443;

json::object* ObjectAt(json::value& root, std::initializer_list<std::string_view> path) {
  json::value* at = &root;
  for (const std::string_view name : path) {
    if (!at->is_object()) return nullptr;
    at = at->get_object().if_contains(name);
    if (at == nullptr) return nullptr;
  }
  return at->if_object();
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return lower;
}

void SetNames(json::object& names) {
  const auto text = [&](std::string_view name) {
    const json::value* value = names.if_contains(name);
    return value != nullptr && value->is_string() ? std::string(value->get_string())
                                                  : std::string();
  };
  const std::string kind = text("kind");
  if (text("singular").empty() && !kind.empty()) names["singular"] = Lower(kind);
  if (text("listKind").empty() && !kind.empty()) names["listKind"] = kind + "List";
}

void NoteStorageVersion(json::value& crd) {
  const std::string storage = StorageVersionOf(crd);
  if (storage.empty()) return;
  json::value& stored = StatusOfCrd(crd)["storedVersions"];
  if (!stored.is_array()) stored = json::array();
  json::array& names = stored.get_array();
  if (std::ranges::find(names, json::value(storage)) == names.end()) names.emplace_back(storage);
}

}  // namespace

void SetCrdDefaults(json::value& crd) {
  if (json::object* names = ObjectAt(crd, {"spec", "names"})) SetNames(*names);
  if (json::object* spec = ObjectAt(crd, {"spec"})) {
    json::value& conversion = (*spec)["conversion"];
    if (conversion.is_null()) conversion = json::object{{"strategy", "None"}};
  }
  json::object* service =
      ObjectAt(crd, {"spec", "conversion", "webhook", "clientConfig", "service"});
  if (service != nullptr && !service->contains("port")) (*service)["port"] = kWebhookPort;
  const json::array* stored = kube::GetArray(crd, "status.storedVersions");
  if (stored == nullptr || stored->empty()) NoteStorageVersion(crd);
}

void PrepareCrd(json::value& crd, const json::value* old) {
  if (old == nullptr) {
    crd.get_object()["status"] = json::object{{"conditions", nullptr},
                                              {"acceptedNames", {{"plural", ""}, {"kind", ""}}},
                                              {"storedVersions", json::array()}};
  }
  NoteStorageVersion(crd);
}

void MarkCrdForRemoval(json::value& crd, const json::value& old, WallTime now) {
  json::object& metadata = crd.get_object()["metadata"].get_object();
  // A definition has no grace, and its end is no change of what it says.
  metadata.erase("deletionGracePeriodSeconds");
  if (const json::value* generation = kube::Find(old, "metadata.generation")) {
    metadata["generation"] = *generation;
  }
  if (!HasFinalizer(crd, kCleanupFinalizer)) {
    json::value& finalizers = metadata["finalizers"];
    if (!finalizers.is_array()) finalizers = json::array();
    finalizers.get_array().emplace_back(kCleanupFinalizer);
  }
  SetCondition(crd,
               {.type = "Terminating",
                .status = "True",
                .reason = "InstanceDeletionPending",
                .message = "CustomResourceDefinition marked for deletion; CustomResource deletion "
                           "will begin soon"},
               now);
}

}  // namespace millwright::apiserver
