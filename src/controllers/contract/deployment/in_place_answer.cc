#include "controllers/contract/deployment/in_place_answer.h"

#include <boost/json.hpp>

#include "kube/api/json_patch.h"
#include "kube/api/json_text.h"
#include "kube/api/merge_patch.h"

namespace millwright::controllers::contract {

namespace json = boost::json;

namespace {

constexpr std::string_view kSpec = "spec.template.spec";

Result<json::value> Patched(const json::value& object, const InPlacePatch& patch) {
  if (patch.type.empty() || object.is_null()) return object;
  TRY(const json::value parsed, kube::ParseJson(patch.text));
  if (patch.type == "JSONPatch") return kube::ApplyJsonPatch(object, parsed);
  if (patch.type == "JSONMergePatch") return kube::ApplyMergePatch(object, parsed);
  return Fail(ErrorKind::kInvalid, "an extension answered with a patch of type " + patch.type);
}

json::value SpecOf(const json::value& object) {
  const json::value* found = kube::Find(object, kSpec);
  return found != nullptr ? *found : json::value(json::object());
}

bool SameMachines(const json::value& a, const json::value& b) {
  return kube::GetString(a, "version") == kube::GetString(b, "version") &&
         kube::GetString(a, "failureDomain") == kube::GetString(b, "failureDomain");
}

}  // namespace

Result<bool> CoversAll(const InPlaceObjects& current, const InPlaceObjects& desired,
                       const InPlaceAnswer& answer) {
  // Both need the same objects, and an instance is always made of something.
  if (current.bootstrap.is_null() != desired.bootstrap.is_null()) return false;
  if (current.infrastructure.is_null() || desired.infrastructure.is_null()) return false;
  TRY(const json::value set, Patched(current.machine, answer.set));
  TRY(const json::value infrastructure, Patched(current.infrastructure, answer.infrastructure));
  TRY(const json::value bootstrap, Patched(current.bootstrap, answer.bootstrap));
  return SameMachines(SpecOf(set), SpecOf(desired.machine)) &&
         SpecOf(infrastructure) == SpecOf(desired.infrastructure) &&
         SpecOf(bootstrap) == SpecOf(desired.bootstrap);
}

}  // namespace millwright::controllers::contract
