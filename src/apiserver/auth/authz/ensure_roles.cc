#include "apiserver/auth/authz/ensure_roles.h"

#include <optional>
#include <vector>

#include <boost/json.hpp>

#include "apiserver/auth/authz/builtin_roles.h"
#include "apiserver/auth/authz/covers.h"
#include "apiserver/rest/change.h"
#include "base/task_group.h"
#include "kube/api/json_text.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

struct Wanted {
  std::string plural;
  json::value object;
};

std::vector<Wanted> AllWanted() {
  std::vector<Wanted> all;
  for (const BuiltinRole& role : BuiltinRoles()) {
    all.push_back({role.namespace_.empty() ? "clusterroles" : "roles", RoleObject(role)});
  }
  for (const RbacBinding& binding : BuiltinBindings()) {
    all.push_back({binding.namespace_.empty() ? "clusterrolebindings" : "rolebindings",
                   BindingObject(binding)});
  }
  return all;
}

bool IsOurs(const json::value& stored) {
  const json::object* annotations = kube::GetObject(stored, "metadata.annotations");
  const json::value* answer =
      annotations == nullptr
          ? nullptr
          : annotations->if_contains("rbac.authorization.kubernetes.io/autoupdate");
  return answer != nullptr && answer->is_string() && answer->get_string() == "true";
}

// What the stored object lacks of the wanted one's list of that name.
json::array Missing(std::string_view list, const json::value& stored, const json::value& wanted) {
  if (list == "rules") return WriteRules(MissingRules(ReadRules(stored), ReadRules(wanted)));
  const json::array* have = kube::GetArray(stored, list);
  json::array missing;
  if (const json::array* wish = kube::GetArray(wanted, list)) {
    for (const json::value& item : *wish) {
      if (have == nullptr || std::ranges::find(*have, item) == have->end()) missing.push_back(item);
    }
  }
  return missing;
}

// None if the stored one has it all.
std::optional<json::value> Completed(const json::value& stored, const json::value& wanted) {
  std::optional<json::value> completed;
  for (const char* list : {"rules", "subjects"}) {
    const json::array missing = Missing(list, stored, wanted);
    if (missing.empty()) continue;
    if (!completed) completed = stored;
    json::value& whole = completed->get_object()[list];
    if (!whole.is_array()) whole = json::array();
    for (const json::value& item : missing) whole.get_array().push_back(item);
  }
  return completed;
}

Task<Result<void>> Complete(const Services& services, const Call& call, const json::value& wanted) {
  const MakeNewState make = [&](const json::value& old,
                                std::vector<std::string>&) -> Result<NewState> {
    auto completed = IsOurs(old) ? Completed(old, wanted) : std::nullopt;
    return NewState{.object = completed ? *std::move(completed) : old};
  };
  CO_CHECK(co_await ChangeObject(services, call, Part::kMain, {}, make));
  co_return Ok();
}

Task<Result<void>> Ensure(const Services& services, Wanted wanted) {
  const std::string name(kube::GetString(wanted.object, "metadata.name"));
  const std::string space(kube::GetString(wanted.object, "metadata.namespace"));
  Call call{.resource = services.registry.Find("rbac.authorization.k8s.io", "v1", wanted.plural),
            .place = {.group = "rbac.authorization.k8s.io",
                      .version = "v1",
                      .resource = wanted.plural,
                      .namespace_ = space},
            .target = {},
            .method = "POST",
            .content_type = {},
            .user_agent = "kube-apiserver",
            .body = {},
            .output = {},
            .user = {.name = "system:apiserver", .groups = {"system:masters"}}};
  const RecordPtr stored = services.store.Get(StorageKey(*call.resource, space, name));
  if (!stored) {
    CO_CHECK(co_await StoreNewObject(services, call, {}, std::move(wanted.object), false, {}));
    co_return Ok();
  }
  const json::value object = json::parse(stored->value);
  if (!IsOurs(object) || !Completed(object, wanted.object)) co_return Ok();
  call.method = "PUT";
  call.place.name = name;
  co_return co_await Complete(services, call, wanted.object);
}

Task<void> EnsureInto(const Services& services, Wanted wanted, std::optional<Error>& problem) {
  const auto done = co_await Ensure(services, std::move(wanted));
  if (!done && !problem) problem = done.error();
}

}  // namespace

Task<Result<void>> EnsureBuiltinRoles(const Services& services) {
  std::optional<Error> problem;
  // All at once, so that they are committed together.
  TaskGroup writes(co_await boost::asio::this_coro::executor);
  for (Wanted& wanted : AllWanted()) {
    writes.Spawn([&services, &problem, wanted = std::move(wanted)]() mutable {
      return EnsureInto(services, std::move(wanted), problem);
    });
  }
  co_await writes.Join();
  if (problem) co_return Failure(std::move(*problem).Wrap("writing the built-in roles"));
  co_return Ok();
}

}  // namespace millwright::apiserver
