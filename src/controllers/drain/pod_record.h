// A pod as a drain sees it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/drain/pod.h"
#include "kube/api/labels.h"
#include "kube/projection/meta.h"

namespace millwright::controllers {

struct PodRecord {
  kube::Meta meta;
  kube::Labels labels;     // budgets choose by them
  std::string controller;  // the kind of who made it; empty: nobody
  bool is_mirror = false;
  std::string phase;
  std::int32_t priority = 0;
  Duration grace = std::chrono::seconds(30);
  std::optional<Duration> deletion_grace;  // once it is being deleted
  bool uses_empty_dir = false;
  std::vector<std::string> claims;  // names of PersistentVolumeClaims

  friend bool operator==(const PodRecord&, const PodRecord&) = default;
};

Result<PodRecord> ReadPod(kube::JsonObject pod);

// Its volumes are named by their claims, "namespace/name".
core::Pod AsPod(const PodRecord& record);

}  // namespace millwright::controllers
