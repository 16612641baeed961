// A machine deployment as controllers see it, whatever dialect it is written in.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/model/deployment.h"
#include "core/replicas/scaler_marks.h"
#include "core/rollout/progress.h"
#include "dialects/machine_record.h"
#include "dialects/machine_template.h"

namespace millwright::dialects {

struct DeploymentRecord {
  kube::Meta meta;
  WallTime created{};
  std::string problem;  // why its spec makes no sense; empty: it does
  kube::Labels labels;
  kube::Labels annotations;
  std::vector<std::string> finalizers;
  core::Deployment core;
  kube::LabelSelector selector;
  MachineTemplate machine_template;
  int min_ready_seconds = 0;
  int auto_preserve_max = 0;
  std::int64_t revision = 0;
  bool frozen = false;
  bool unfreeze_asked = false;
  bool shows_frozen = false;  // a condition says that it is

  // Machines that a scaler named, and whether what it wrote has to be written anew in any case.
  std::vector<core::ScalerMark> scaler_marks;
  bool scaler_marks_untidy = false;

  // What it shows.
  std::int64_t observed_generation = 0;
  core::DeploymentCounts seen;
  std::optional<core::Progress> progress;
  int collision_count = 0;
  kube::SharedText status;  // JSON, as it is shown

  friend bool operator==(const DeploymentRecord&, const DeploymentRecord&) = default;
};

}  // namespace millwright::dialects
