#include "kube/connect/discovery.h"

#include "kube/api/json_text.h"
#include "kube/api/status.h"

namespace millwright::kube {

namespace json = boost::json;

namespace {

std::vector<std::string> Texts(const json::object& object, std::string_view key) {
  std::vector<std::string> texts;
  const json::value* list = object.if_contains(key);
  if (list == nullptr || !list->is_array()) return texts;
  for (const json::value& item : list->get_array()) {
    if (item.is_string()) texts.emplace_back(item.get_string());
  }
  return texts;
}

std::string Text(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

bool IsTrue(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value != nullptr && value->is_bool() && value->get_bool();
}

}  // namespace

Result<std::vector<ApiResource>> ParseResourceList(std::string_view text) {
  TRY(const json::value list, ParseJson(text));
  const json::object* object = list.if_object();
  const json::value* resources = object != nullptr ? object->if_contains("resources") : nullptr;
  if (resources == nullptr || !resources->is_array()) {
    return Fail(ErrorKind::kInvalid, "not a list of API resources");
  }
  std::vector<ApiResource> found;
  for (const json::value& item : resources->get_array()) {
    const json::object* entry = item.if_object();
    if (entry == nullptr || Text(*entry, "name").contains('/')) continue;
    found.push_back({.resource = Text(*entry, "name"),
                     .kind = Text(*entry, "kind"),
                     .namespaced = IsTrue(*entry, "namespaced"),
                     .verbs = Texts(*entry, "verbs"),
                     .short_names = Texts(*entry, "shortNames")});
  }
  return found;
}

Task<Result<std::optional<ApiResource>>> Discovery::Find(GroupVersionResource resource) {
  const std::string version = resource.ApiVersion();
  if (!known_.contains(version)) {
    const std::string root = resource.group.empty() ? "/api/" : "/apis/";
    auto list = co_await client_.GetPath(root + version);
    if (!list && list.error().kind() == ErrorKind::kNotFound) {
      co_return std::optional<ApiResource>();
    }
    if (!list) co_return Failure(std::move(list).error());
    CO_TRY(std::vector<ApiResource> resources, ParseResourceList(*list));
    known_.insert_or_assign(version, std::move(resources));
  }
  for (const ApiResource& known : known_[version]) {
    if (known.resource == resource.resource) co_return std::optional<ApiResource>(known);
  }
  co_return std::optional<ApiResource>();
}

}  // namespace millwright::kube
