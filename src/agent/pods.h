// What an agent without a container runtime does for the pods that are bound to its node. Pure.
#pragma once

#include <boost/json/value.hpp>

#include <optional>
#include <string>
#include <vector>

#include "kube/projection/meta.h"

namespace millwright::agent {

struct PodContainer {
  std::string name;
  std::string image;

  friend bool operator==(const PodContainer&, const PodContainer&) = default;
};

struct PodView {
  kube::Meta meta;
  std::optional<std::int64_t> grace;  // of its deletion, in seconds
  std::string phase;
  bool ready = false;
  std::vector<PodContainer> containers;

  friend bool operator==(const PodView&, const PodView&) = default;
};

Result<PodView> DecodePod(kube::JsonObject object);

enum class PodStep {
  kNothing,
  kSayRunning,
  kFinishDeletion,  // there is nothing to be stopped first
};
PodStep PlanPod(const PodView& pod);

// A strategic merge patch of the status of a pod that runs.
boost::json::object RunningPatch(const PodView& pod, const std::string& address, WallTime now);

}  // namespace millwright::agent
