#include "agent/pods.h"

#include <boost/json.hpp>

namespace millwright::agent {

namespace json = boost::json;
using kube::ForEachField;
using kube::ForEachItem;
using kube::JsonValue;
using kube::ReadInto;

namespace {

Result<void> ReadContainers(JsonValue value, PodView& pod) {
  return ForEachItem(value, [&](JsonValue item) -> Result<void> {
    PodContainer container;
    CHECK_OK(ForEachField(item, [&](std::string_view key, JsonValue content) -> Result<void> {
      if (key == "name") return ReadInto(content, container.name);
      if (key == "image") return ReadInto(content, container.image);
      return Ok();
    }));
    pod.containers.push_back(std::move(container));
    return Ok();
  });
}

Result<void> ReadConditions(JsonValue value, PodView& pod) {
  return ForEachItem(value, [&](JsonValue item) -> Result<void> {
    std::string type;
    std::string status;
    CHECK_OK(ForEachField(item, [&](std::string_view key, JsonValue content) -> Result<void> {
      if (key == "type") return ReadInto(content, type);
      if (key == "status") return ReadInto(content, status);
      return Ok();
    }));
    if (type == "Ready") pod.ready = status == "True";
    return Ok();
  });
}

}  // namespace

Result<PodView> DecodePod(kube::JsonObject object) {
  PodView pod;
  const auto read_meta = [&](std::string_view key, JsonValue value) -> Result<void> {
    if (key == "deletionGracePeriodSeconds") return ReadInto(value, pod.grace);
    return kube::ReadMetaField(key, value, pod.meta);
  };
  const auto read_status = [&](std::string_view key, JsonValue value) -> Result<void> {
    if (key == "phase") return ReadInto(value, pod.phase);
    if (key == "conditions") return ReadConditions(value, pod);
    return Ok();
  };
  CHECK_OK(ForEachField(object, [&](std::string_view key, JsonValue value) -> Result<void> {
    if (key == "metadata") return ForEachField(value, read_meta);
    if (key == "status") return ForEachField(value, read_status);
    if (key != "spec") return Ok();
    return ForEachField(value, [&](std::string_view field, JsonValue content) -> Result<void> {
      return field == "containers" ? ReadContainers(content, pod) : Ok();
    });
  }));
  return pod;
}

PodStep PlanPod(const PodView& pod) {
  if (pod.meta.deleting_since) {
    // With a grace of 0 it has been said already; somebody's finalizer keeps it.
    return pod.grace == 0 ? PodStep::kNothing : PodStep::kFinishDeletion;
  }
  const bool over = pod.phase == "Succeeded" || pod.phase == "Failed";
  if (over || (pod.phase == "Running" && pod.ready)) return PodStep::kNothing;
  return PodStep::kSayRunning;
}

json::object RunningPatch(const PodView& pod, const std::string& address, WallTime now) {
  const std::string time = FormatTime(now);
  json::array conditions;
  for (const char* type : {"Initialized", "ContainersReady", "Ready"}) {
    conditions.push_back(
        json::object{{"type", type}, {"status", "True"}, {"lastTransitionTime", time}});
  }
  json::array containers;
  for (const PodContainer& container : pod.containers) {
    json::object running;
    running["startedAt"] = time;
    json::object state;
    state["running"] = std::move(running);
    containers.push_back(json::object{{"name", container.name},
                                      {"image", container.image},
                                      {"imageID", ""},
                                      {"ready", true},
                                      {"started", true},
                                      {"restartCount", 0},
                                      {"state", std::move(state)}});
  }
  json::object ip;
  ip["ip"] = address;
  json::object status{{"phase", "Running"},
                      {"hostIP", address},
                      {"podIP", address},
                      {"podIPs", json::array{ip}},
                      {"startTime", time}};
  status["conditions"] = std::move(conditions);
  status["containerStatuses"] = std::move(containers);
  json::object metadata;
  // Another pod of this name is another matter.
  metadata["uid"] = pod.meta.uid.str();
  json::object patch;
  patch["metadata"] = std::move(metadata);
  patch["status"] = std::move(status);
  return patch;
}

}  // namespace millwright::agent
