#include "apiserver/rest/patch.h"

#include <boost/json.hpp>

#include "apiserver/rest/failures.h"
#include "apiserver/rest/output.h"
#include "kube/api/builtin_merge_keys.h"
#include "kube/api/json_patch.h"
#include "kube/api/merge_patch.h"
#include "kube/api/strategic_merge_patch.h"

namespace millwright::apiserver {

namespace json = boost::json;

Result<PatchType> PatchTypeOf(const Resource& resource, std::string_view content_type) {
  const std::string type = MediaTypeOf(content_type);
  if (type == "application/json-patch+json") return PatchType::kJson;
  if (type == "application/merge-patch+json") return PatchType::kMerge;
  if (type == "application/apply-patch+yaml") return PatchType::kApply;
  const bool strategic = type == "application/strategic-merge-patch+json";
  if (strategic && !resource.custom) return PatchType::kStrategic;
  if (!strategic) {
    return Refuse({.status = "Failure",
                   .message = "415: Unsupported Media Type",
                   .reason = "UnsupportedMediaType",
                   .details = {},
                   .code = 415});
  }
  return UnsupportedMediaType(
      resource.custom ? "application/json-patch+json, application/merge-patch+json, "
                        "application/apply-patch+yaml"
                      : "application/json-patch+json, application/merge-patch+json, "
                        "application/strategic-merge-patch+json, application/apply-patch+yaml");
}

Result<json::value> Patched(const Resource& resource, PatchType type, json::value object,
                            const json::value& patch) {
  if (type == PatchType::kJson) {
    auto result = kube::ApplyJsonPatch(std::move(object), patch, {.lenient = true});
    if (result) return result;
    // A patch that does not fit this object, as opposed to one that is no patch at all.
    if (!patch.is_array()) return BadRequest(result.error().message());
    kube::Status status{.status = "Failure",
                        .message =
                            "the server rejected our request due to an error in our "
                            "request: " +
                            result.error().message(),
                        .reason = "Invalid",
                        .details = {},
                        .code = 422};
    return Refuse(std::move(status));
  }
  if (!patch.is_object()) return BadRequest("a merge patch must be a JSON object");
  if (type == PatchType::kMerge) {
    auto result = kube::ApplyMergePatch(std::move(object), patch);
    if (!result) return BadRequest(result.error().message());
    return result;
  }
  const kube::MergeKeys* keys = kube::BuiltinMergeKeys(resource.kind);
  static constexpr kube::MergeKeys kNone{};
  auto result = kube::ApplyStrategicMergePatch(std::move(object), patch, keys ? *keys : kNone);
  if (!result) return BadRequest(result.error().message());
  return result;
}

}  // namespace millwright::apiserver
