#include "controllers/shared/node_writer.h"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value_from.hpp>

#include "controllers/shared/caches.h"
#include "kube/api/object_meta.h"

namespace millwright::controllers {

namespace json = boost::json;

namespace {

json::object PatchOf(const core::KeyChanges& changes) {
  json::object patch;
  for (const auto& [key, value] : changes.set) patch.insert_or_assign(key, value);
  for (const std::string& key : changes.remove) patch.insert_or_assign(key, nullptr);
  return patch;
}

std::string TextOf(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  return value != nullptr && value->is_string() ? std::string(value->as_string()) : std::string();
}

core::Taint TaintOf(const json::value& value) {
  if (!value.is_object()) return {};
  const json::object& taint = value.as_object();
  return {TextOf(taint, "key"), TextOf(taint, "value"), TextOf(taint, "effect")};
}

json::object Encode(const core::Taint& taint) {
  json::object encoded{{"key", taint.key.view()}, {"effect", taint.effect.view()}};
  if (!taint.value.empty()) encoded["value"] = taint.value.view();
  return encoded;
}

// The live list with our changes; entries that stay are kept to the letter.
json::array Changed(const json::array& live, const TaintChange& change) {
  std::vector<core::Taint> present;
  for (const json::value& taint : live) present.push_back(TaintOf(taint));
  json::array result;
  for (const core::Taint& taint : core::SyncTaints(present, change.wanted, change.ours)) {
    const auto kept = std::ranges::find(present, taint);
    if (kept != present.end()) {
      result.push_back(live[static_cast<std::size_t>(kept - present.begin())]);
    } else {
      result.push_back(Encode(taint));
    }
  }
  return result;
}

const json::array* LiveTaints(const json::value& node) {
  const json::value* spec = node.as_object().if_contains("spec");
  const json::value* taints =
      spec != nullptr && spec->is_object() ? spec->as_object().if_contains("taints") : nullptr;
  return taints != nullptr && taints->is_array() ? &taints->as_array() : nullptr;
}

}  // namespace

Task<Result<void>> NodeWriter::Write(kube::Meta seen, NodeChange change) {
  // Capacity goes first: it is another subresource, and the rest remembers what was applied.
  if (!change.capacity.none()) {
    const json::object status{{"capacity", PatchOf(change.capacity)}};
    CO_TRY(const kube::Document written,
           co_await client_.Patch(kNodes, seen.key, kube::PatchKind::kMerge,
                                  json::serialize(json::object{{"status", status}}),
                                  {.write = {.subresource = "status"}}));
    CO_TRY(const kube::Meta meta, written.ReadMeta());
    seen.resource_version = meta.resource_version;
    guard_.Expect(seen.key, meta.resource_version);
    change.capacity = {};
  }
  if (change.none()) co_return Ok();
  json::object metadata{{"uid", seen.uid.str()}};
  json::object spec;
  if (change.taints) {
    CO_TRY(const kube::Document document, co_await client_.Get(kNodes, seen.key));
    CO_TRY(const kube::Meta live, document.ReadMeta());
    CO_TRY(const json::value node, document.Tree());
    seen.resource_version = live.resource_version;
    const json::array* taints = LiveTaints(node);
    spec["taints"] = Changed(taints != nullptr ? *taints : json::array(), *change.taints);
  }
  metadata["resourceVersion"] = seen.resource_version.str();
  if (!change.labels.none()) metadata["labels"] = PatchOf(change.labels);
  if (!change.annotations.none()) metadata["annotations"] = PatchOf(change.annotations);
  if (change.finalizers) metadata["finalizers"] = json::value_from(*change.finalizers);
  if (change.unschedulable) {
    spec["unschedulable"] = *change.unschedulable ? json::value(true) : json::value(nullptr);
  }
  json::object patch{{"metadata", std::move(metadata)}};
  if (!spec.empty()) patch["spec"] = std::move(spec);
  CO_TRY(const kube::Document written,
         co_await client_.Patch(kNodes, seen.key, kube::PatchKind::kMerge, json::serialize(patch)));
  CO_TRY(const kube::Meta meta, written.ReadMeta());
  guard_.Expect(seen.key, meta.resource_version);
  co_return Ok();
}

Task<Result<void>> NodeWriter::SetCondition(kube::Meta seen, core::Condition condition,
                                            WallTime now) {
  const std::string since = FormatTime(condition.since);
  // Conditions are merged by their type.
  const json::object patch{
      {"metadata", {{"uid", seen.uid.str()}}},
      {"status",
       {{"conditions", json::array{json::object{{"type", condition.type.view()},
                                                {"status", condition.status.view()},
                                                {"reason", condition.reason.view()},
                                                {"message", condition.message.view()},
                                                {"lastTransitionTime", since},
                                                {"lastHeartbeatTime", FormatTime(now)}}}}}}};
  CO_TRY(const kube::Document written,
         co_await client_.Patch(kNodes, seen.key, kube::PatchKind::kStrategicMerge,
                                json::serialize(patch), {.write = {.subresource = "status"}}));
  CO_TRY(const kube::Meta meta, written.ReadMeta());
  guard_.Expect(seen.key, meta.resource_version);
  co_return Ok();
}

Task<Result<void>> NodeWriter::Delete(kube::Meta seen) {
  co_return co_await client_.Delete(kNodes, seen.key, {.uid = seen.uid});
}

Task<Result<void>> NodeWriter::Cordon(kube::Meta seen) {
  const json::object patch{{"metadata", {{"uid", seen.uid.str()}}},
                           {"spec", {{"unschedulable", true}}}};
  CO_TRY(const kube::Document written,
         co_await client_.Patch(kNodes, seen.key, kube::PatchKind::kMerge, json::serialize(patch)));
  CO_TRY(const kube::Meta meta, written.ReadMeta());
  guard_.Expect(seen.key, meta.resource_version);
  co_return Ok();
}

// The list may have changed, and everything else about the node changes all the time: so the patch
// names the one entry that it takes, and does nothing if that is another by now.
Task<Result<void>> NodeWriter::LetGo(kube::Meta seen, std::string finalizer,
                                     std::vector<std::string> finalizers) {
  const auto ours = std::ranges::find(finalizers, finalizer);
  if (ours == finalizers.end()) co_return co_await LetGoLive(std::move(seen), std::move(finalizer));
  const std::string entry =
      "/metadata/finalizers/" + std::to_string(std::distance(finalizers.begin(), ours));
  const json::array patch{
      json::object{{"op", "test"}, {"path", "/metadata/uid"}, {"value", seen.uid.str()}},
      json::object{{"op", "test"}, {"path", entry}, {"value", finalizer}},
      json::object{{"op", "remove"}, {"path", entry}}};
  const auto written =
      co_await client_.Patch(kNodes, seen.key, kube::PatchKind::kJson, json::serialize(patch));
  if (written || written.error().kind() == ErrorKind::kNotFound) co_return Ok();
  const ErrorKind why = written.error().kind();
  if (why != ErrorKind::kInvalid && why != ErrorKind::kConflict) {
    co_return Failure(written.error());
  }
  co_return co_await LetGoLive(std::move(seen), std::move(finalizer));
}

Task<Result<void>> NodeWriter::LetGoLive(kube::Meta seen, std::string finalizer) {
  CO_TRY(const auto found, co_await client_.Find(kNodes, seen.key));
  if (!found) co_return Ok();
  CO_TRY(const kube::Meta live, found->ReadMeta());
  if (live.uid != seen.uid) co_return Ok();
  CO_TRY(const json::value node, found->Tree());
  CO_TRY(const kube::ObjectMeta meta, kube::DecodeObjectMeta(node.at("metadata")));
  auto finalizers = meta.finalizers;
  if (std::erase(finalizers, finalizer) == 0) co_return Ok();
  const json::object patch{{"metadata",
                            {{"uid", live.uid.str()},
                             {"resourceVersion", live.resource_version.str()},
                             {"finalizers", json::value_from(finalizers)}}}};
  const auto written =
      co_await client_.Patch(kNodes, seen.key, kube::PatchKind::kMerge, json::serialize(patch));
  if (!written && written.error().kind() != ErrorKind::kNotFound) {
    co_return Failure(written.error());
  }
  co_return Ok();
}

}  // namespace millwright::controllers
