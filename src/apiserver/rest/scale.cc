#include "apiserver/rest/scale.h"

#include <fmt/format.h>

#include <map>
#include <optional>

#include <boost/json.hpp>

#include "apiserver/rest/body.h"
#include "apiserver/rest/change.h"
#include "apiserver/rest/failures.h"
#include "apiserver/rest/object_text.h"
#include "apiserver/rest/patch.h"
#include "apiserver/rest/read.h"
#include "kube/api/json_text.h"
#include "kube/api/labels.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

std::string_view WithoutDot(std::string_view path) {
  return path.starts_with('.') ? path.substr(1) : path;
}

// The text of a selector that is labels and nothing else, as a ReplicationController has it.
std::optional<std::string> PlainLabels(const json::value& selector) {
  if (!selector.is_object() || selector.get_object().empty()) return std::nullopt;
  std::map<std::string_view, std::string_view> pairs;
  for (const auto& [key, value] : selector.get_object()) {
    if (!value.is_string()) return std::nullopt;
    pairs.emplace(key, value.get_string());
  }
  std::string text;
  for (const auto& [key, value] : pairs) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", key, value);
  }
  return text;
}

// The text of a selector, which objects keep as text or as an object.
std::string SelectorText(const json::value& object, std::string_view path) {
  const json::value* selector = path.empty() ? nullptr : kube::Find(object, WithoutDot(path));
  if (selector == nullptr) return {};
  if (selector->is_string()) return std::string(selector->get_string());
  if (const auto pairs = PlainLabels(*selector)) return *pairs;
  const auto parsed = kube::DecodeLabelSelector(*selector);
  return parsed ? parsed->ToString() : std::string();
}

// Fails if a custom object does not say how many it wants: nothing is guessed.
Result<void> CheckSaysReplicas(const Resource& resource, const json::value& object) {
  const std::string& path = resource.scale->spec_replicas;
  if (!resource.custom || kube::Find(object, WithoutDot(path)) != nullptr) return Ok();
  return Fail(ErrorKind::kInternal,
              fmt::format("the spec replicas field \"{}\" does not exist", path));
}

json::object ScaleOf(const Resource& resource, const json::value& object) {
  const ScalePaths& paths = *resource.scale;
  json::object metadata;
  for (const char* field : {"name", "namespace", "uid", "resourceVersion", "creationTimestamp"}) {
    const std::string_view value = kube::GetString(object, std::string("metadata.") + field);
    if (!value.empty()) metadata[field] = value;
  }
  json::object spec;
  const std::int64_t wished = kube::GetInt(object, WithoutDot(paths.spec_replicas));
  if (wished != 0) spec["replicas"] = wished;
  json::object status{{"replicas", kube::GetInt(object, WithoutDot(paths.status_replicas))}};
  const std::string selector = SelectorText(object, paths.label_selector);
  if (!selector.empty()) status["selector"] = selector;
  return {{"kind", "Scale"},
          {"apiVersion", "autoscaling/v1"},
          {"metadata", std::move(metadata)},
          {"spec", std::move(spec)},
          {"status", std::move(status)}};
}

void SetAt(json::value& object, std::string_view path, json::value value) {
  json::value* at = &object;
  while (true) {
    const auto dot = path.find('.');
    const std::string_view name = path.substr(0, dot);
    if (!at->is_object()) *at = json::object();
    at = &at->get_object()[name];
    if (dot == std::string_view::npos) break;
    path.remove_prefix(dot + 1);
  }
  *at = std::move(value);
}

// The object with the replicas that a Scale asks for.
Result<NewState> Scaled(const Call& call, const json::value& old, const json::value& scale) {
  const std::string version(kube::GetString(scale, "metadata.resourceVersion"));
  if (!version.empty() && version != kube::GetString(old, "metadata.resourceVersion")) {
    return Modified(*call.resource, call.place.name);
  }
  const std::int64_t replicas = kube::GetInt(scale, "spec.replicas");
  if (replicas < 0) {
    return Invalid("autoscaling", "Scale", call.place.name,
                   {kube::InvalidError("spec.replicas", json::value(replicas),
                                       "must be greater than or equal to 0")});
  }
  NewState state{.object = old, .conditional = !version.empty()};
  SetAt(state.object, WithoutDot(call.resource->scale->spec_replicas), json::value(replicas));
  return state;
}

// Who looks at a change of scale sees two Scales.
EndpointForm FormOf(const Resource& resource) {
  return {.kind = {"autoscaling", "v1", "Scale"},
          .show = [&resource](const json::value& object) { return ScaleOf(resource, object); },
          .take =
              [&resource](const json::value& scale, json::value& object) {
                SetAt(object, WithoutDot(resource.scale->spec_replicas),
                      json::value(kube::GetInt(scale, "spec.replicas")));
              }};
}

Task<Result<Answer>> ChangeScale(const Services& services, const Call& call, MakeNewState make) {
  CO_TRY(auto options, ReadWriteOptions(call.target, "UpdateOptions"));
  const EndpointForm form = FormOf(*call.resource);
  CO_TRY(Answer answer,
         co_await ChangeObject(services, call, Part::kMain, options, std::move(make), &form));
  answer.text = json::serialize(ScaleOf(*call.resource, json::parse(answer.text)));
  co_return answer;
}

}  // namespace

Task<Result<Answer>> ReadScale(const Services& services, const Call& call) {
  CO_TRY(Answer answer, co_await ReadObject(services, call));
  const json::value object = json::parse(answer.text);
  CO_CHECK(CheckSaysReplicas(*call.resource, object));
  answer.text = json::serialize(ScaleOf(*call.resource, object));
  co_return answer;
}

Task<Result<Answer>> UpdateScale(const Services& services, const Call& call) {
  StrictFindings findings;
  CO_TRY(const json::value scale, DecodeObject(services, call, findings));
  co_return co_await ChangeScale(services, call, [&](const json::value& old, StrictFindings&) {
    return Scaled(call, old, scale);
  });
}

Task<Result<Answer>> PatchScale(const Services& services, const Call& call) {
  CO_TRY(const auto type, PatchTypeOf(*call.resource, call.content_type));
  StrictFindings findings;
  CO_TRY(const json::value patch, DecodeText(call.body, type == PatchType::kApply, findings));
  const auto merged =
      type == PatchType::kApply || type == PatchType::kStrategic ? PatchType::kMerge : type;
  co_return co_await ChangeScale(
      services, call, [&](const json::value& old, StrictFindings&) -> Result<NewState> {
        TRY(const json::value scale,
            Patched(*call.resource, merged, ScaleOf(*call.resource, old), patch));
        return Scaled(call, old, scale);
      });
}

}  // namespace millwright::apiserver
