#include <fmt/format.h>

#include <charconv>

#include "dialects/capi/admit.h"
#include "dialects/capi/json_path.h"
#include "dialects/capi/label_value.h"
#include "dialects/capi/names.h"

namespace millwright::dialects::capi {

namespace json = boost::json;

namespace {

constexpr int kNodeDeletionTimeoutSeconds = 10;
constexpr int kNodeStartupTimeoutSeconds = 600;

bool IsAbsent(const json::object& object, std::string_view path) {
  const json::value* value = FindPath(object, path);
  return value == nullptr || value->is_null();
}

void PutIfAbsent(json::object& object, std::string_view path, json::value value) {
  if (IsAbsent(object, path)) PutPath(object, path, std::move(value));
}

// An object at a path, made if it is not there.
json::object& ObjectAt(json::object& object, std::string_view path) {
  json::value* value = FindPath(object, path);
  if (value == nullptr || !value->is_object()) {
    PutPath(object, path, json::object());
    value = FindPath(object, path);
  }
  return value->get_object();
}

std::optional<std::int64_t> NumberAt(const json::object& object, std::string_view path) {
  const json::value* value = FindPath(object, path);
  return value != nullptr && value->is_int64() ? std::optional(value->get_int64()) : std::nullopt;
}

void AddVersionPrefix(json::object& object, std::string_view path) {
  const std::string_view version = TextAtPath(object, path);
  if (!version.empty() && !version.starts_with('v')) {
    PutPath(object, path, json::value("v" + std::string(version)));
  }
}

bool IsEmptySelector(const json::object& object) {
  const auto is_empty = [&](std::string_view path) {
    const json::value* value = FindPath(object, path);
    if (value == nullptr || value->is_null()) return true;
    return (value->is_object() && value->get_object().empty()) ||
           (value->is_array() && value->get_array().empty());
  };
  return is_empty("spec.selector.matchLabels") && is_empty("spec.selector.matchExpressions");
}

// In the selector and in the labels of the template. A copy of the text: writing moves what is
// there.
void SelectBy(json::object& object, std::string_view label, const std::string& value) {
  ObjectAt(object, "spec.selector.matchLabels")[label] = value;
  ObjectAt(object, "spec.template.metadata.labels")[label] = value;
}

Result<void> DefaultReplicasOf(json::object& object, const json::object* old) {
  const ReplicaView view{.written = NumberAt(object, "spec.replicas"),
                         .is_update = old != nullptr,
                         .before = old != nullptr ? NumberAt(*old, "spec.replicas") : std::nullopt};
  const json::value* annotations = FindPath(object, "metadata.annotations");
  const bool any = annotations != nullptr && annotations->is_object();
  TRY(const std::int64_t replicas,
      DefaultReplicas(view, any ? annotations->get_object() : json::object()));
  PutPath(object, "spec.replicas", replicas);
  return {};
}

void DefaultMachine(json::object& object) {
  AddVersionPrefix(object, "spec.version");
  PutIfAbsent(object, "spec.deletion.nodeDeletionTimeoutSeconds", kNodeDeletionTimeoutSeconds);
}

Result<void> DefaultSet(json::object& object, const json::object* old) {
  CHECK_OK(DefaultReplicasOf(object, old));
  if (IsEmptySelector(object)) {
    SelectBy(object, labels::kSet, LabelValueOf(TextAtPath(object, "metadata.name")));
  }
  AddVersionPrefix(object, "spec.template.spec.version");
  return {};
}

void DefaultStrategy(json::object& object) {
  constexpr std::string_view kType = "spec.rollout.strategy.type";
  if (TextAtPath(object, kType).empty()) PutPath(object, kType, "RollingUpdate");
  if (TextAtPath(object, kType) != "RollingUpdate") return;
  PutIfAbsent(object, "spec.rollout.strategy.rollingUpdate.maxSurge", 1);
  PutIfAbsent(object, "spec.rollout.strategy.rollingUpdate.maxUnavailable", 0);
}

Result<void> DefaultDeployment(json::object& object, const json::object* old) {
  CHECK_OK(DefaultReplicasOf(object, old));
  DefaultStrategy(object);
  if (IsEmptySelector(object)) {
    SelectBy(object, labels::kDeployment, std::string(TextAtPath(object, "metadata.name")));
  }
  SelectBy(object, labels::kCluster, std::string(TextAtPath(object, "spec.clusterName")));
  AddVersionPrefix(object, "spec.template.spec.version");
  return {};
}

Result<std::int64_t> LimitOf(const json::value& text, std::string_view annotation) {
  std::int64_t number = 0;
  const std::string_view view = text.is_string() ? text.get_string() : std::string_view();
  const auto [end, error] = std::from_chars(view.data(), view.data() + view.size(), number);
  if (view.empty() || error != std::errc() || end != view.data() + view.size()) {
    return Fail(ErrorKind::kInvalid,
                fmt::format("annotation {} is \"{}\", which is no number", annotation, view));
  }
  return number;
}

}  // namespace

Result<std::int64_t> DefaultReplicas(const ReplicaView& view, const json::object& annotations) {
  if (view.written) return *view.written;
  const json::value* min_text = annotations.if_contains(annotations::kScalerMin);
  const json::value* max_text = annotations.if_contains(annotations::kScalerMax);
  if (min_text == nullptr || max_text == nullptr) return 1;
  TRY(const std::int64_t least, LimitOf(*min_text, annotations::kScalerMin));
  TRY(const std::int64_t most, LimitOf(*max_text, annotations::kScalerMax));
  if (!view.is_update || !view.before || *view.before < least) return least;
  return *view.before > most ? most : *view.before;
}

Result<json::object> Default(std::string_view kind, json::object object, const json::object* old) {
  const bool ours = kind == kMachineKind || kind == kSetKind || kind == kDeploymentKind ||
                    kind == kHealthCheckKind;
  if (!ours) return object;
  const std::string cluster(TextAtPath(object, "spec.clusterName"));
  ObjectAt(object, "metadata.labels")[labels::kCluster] = cluster;
  if (kind == kMachineKind) DefaultMachine(object);
  if (kind == kSetKind) CHECK_OK(DefaultSet(object, old));
  if (kind == kDeploymentKind) CHECK_OK(DefaultDeployment(object, old));
  if (kind == kHealthCheckKind) {
    PutIfAbsent(object, "spec.checks.nodeStartupTimeoutSeconds", kNodeStartupTimeoutSeconds);
  }
  return object;
}

}  // namespace millwright::dialects::capi
