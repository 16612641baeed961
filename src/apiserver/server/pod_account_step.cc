#include "apiserver/server/pod_account_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include <boost/json.hpp>

#include "apiserver/rest/failures.h"
#include "kube/api/json_text.h"
#include "kube/api/names.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

constexpr std::string_view kVolumePrefix = "kube-api-access-";
constexpr std::string_view kMountPath = "/var/run/secrets/kubernetes.io/serviceaccount";
// A namespace and its account are not made in one step.
constexpr Duration kPatience = std::chrono::seconds(2);
// A little more than an hour marks tokens that old clients may go on to use for longer.
constexpr int kTokenSeconds = 3607;

bool IsMirror(const json::value& pod) {
  const json::object* annotations = kube::GetObject(pod, "metadata.annotations");
  return annotations != nullptr && annotations->contains("kubernetes.io/config.mirror");
}

json::object& Spec(json::value& pod) {
  json::value& spec = pod.get_object()["spec"];
  if (!spec.is_object()) spec = json::object();
  return spec.get_object();
}

json::array& List(json::object& object, std::string_view name) {
  json::value& list = object[name];
  if (!list.is_array()) list = json::array();
  return list.get_array();
}

bool WantsToken(const json::value& account, const json::value& pod) {
  const bool by_account = kube::GetBool(account, "automountServiceAccountToken", true);
  return kube::GetBool(pod, "spec.automountServiceAccountToken", by_account);
}

json::object TokenVolume(std::string_view name) {
  const json::object token{
      {"serviceAccountToken", {{"expirationSeconds", kTokenSeconds}, {"path", "token"}}}};
  const json::object authority{
      {"configMap",
       {{"name", "kube-root-ca.crt"},
        {"items", json::array{json::object{{"key", "ca.crt"}, {"path", "ca.crt"}}}}}}};
  const json::object field{{"apiVersion", "v1"}, {"fieldPath", "metadata.namespace"}};
  const json::object space{
      {"downwardAPI",
       {{"items", json::array{json::object{{"path", "namespace"}, {"fieldRef", field}}}}}}};
  return {{"name", name},
          {"projected", {{"sources", json::array{token, authority, space}}, {"defaultMode", 420}}}};
}

// False if something is there already.
bool Mount(std::string_view volume, json::value& container) {
  json::array& mounts = List(container.get_object(), "volumeMounts");
  const bool there = std::ranges::any_of(mounts, [](const json::value& mount) {
    return kube::GetString(mount, "mountPath") == kMountPath;
  });
  if (there) return false;
  mounts.push_back(json::object{{"name", volume}, {"readOnly", true}, {"mountPath", kMountPath}});
  return true;
}

void MountToken(std::string_view volume_name, json::value& pod) {
  std::string volume(volume_name);
  bool has_volume = false;
  if (const json::array* volumes = kube::GetArray(pod, "spec.volumes")) {
    for (const json::value& one : *volumes) {
      if (has_volume || !kube::GetString(one, "name").starts_with(kVolumePrefix)) continue;
      volume = kube::GetString(one, "name");
      has_volume = true;
    }
  }
  bool mounted = false;
  json::object& spec = Spec(pod);
  for (const char* list : {"initContainers", "containers"}) {
    json::value* containers = spec.if_contains(list);
    if (containers == nullptr || !containers->is_array()) continue;
    for (json::value& container : containers->get_array()) {
      if (container.is_object()) mounted |= Mount(volume, container);
    }
  }
  if (mounted && !has_volume) List(spec, "volumes").push_back(TokenVolume(volume));
}

}  // namespace

void RunAs(const json::value& account, std::string_view volume_name, json::value& pod) {
  json::object& spec = Spec(pod);
  const std::string name(kube::GetString(account, "metadata.name"));
  spec["serviceAccountName"] = name;
  spec["serviceAccount"] = name;
  if (WantsToken(account, pod)) MountToken(volume_name, pod);
  const json::array* secrets = kube::GetArray(account, "imagePullSecrets");
  const json::array* own = kube::GetArray(pod, "spec.imagePullSecrets");
  const bool lends = secrets != nullptr && !secrets->empty() && (own == nullptr || own->empty());
  if (lends) Spec(pod)["imagePullSecrets"] = *secrets;
}

Task<Result<void>> PodAccountStep::Mutate(const Admittance& about, json::value* object,
                                          std::vector<std::string>& /*warnings*/) {
  const bool new_pod = about.operation == Admittance::Operation::kCreate &&
                       about.resource.kind.group.empty() && about.resource.plural == "pods" &&
                       about.place.subresource.empty();
  if (!new_pod || object == nullptr || !object->is_object() || IsMirror(*object)) co_return Ok();
  std::string name(kube::GetString(*object, "spec.serviceAccountName"));
  if (name.empty()) name = "default";
  const RecordPtr account = co_await FindAccount(about.place.namespace_, name);
  if (!account) {
    co_return Forbidden(about.resource, about.name,
                        fmt::format("error looking up service account {}/{}: serviceaccount "
                                    "\"{}\" not found",
                                    about.place.namespace_, name, name));
  }
  std::array<std::uint32_t, 5> draws{};
  for (auto& draw : draws) draw = static_cast<std::uint32_t>(random_.Next());
  RunAs(json::parse(account->value), std::string(kVolumePrefix) + kube::RandomSuffix(draws),
        *object);
  co_return Ok();
}

Task<RecordPtr> PodAccountStep::FindAccount(std::string namespace_, std::string name) {
  const std::string key = fmt::format("/core/serviceaccounts/{}/{}", namespace_, name);
  RecordPtr found = store_.Get(key);
  if (found || name != "default") co_return found;
  auto watcher = store_.Watch(key, store_.revision());
  if (watcher) (void)co_await watcher->WaitUntil(clock_, clock_.Elapsed() + kPatience);
  co_return store_.Get(key);
}

}  // namespace millwright::apiserver
