// How the loops were asked to behave.
#pragma once

#include <chrono>
#include <set>
#include <string>
#include <vector>

#include "base/time.h"
#include "core/replicas/preflight.h"
#include "dialects/capi/names.h"
#include "kube/api/labels.h"
#include "kube/api/schema_pattern.h"

namespace millwright::controllers::contract {

struct Settings {
  std::string namespace_;    // empty: all of them
  std::string watch_filter;  // only objects with that value of labels::kWatchFilter; empty: all

  // Without an answer of a cluster for so long, its Cluster says so; and so do its machines.
  Duration connection_grace = std::chrono::seconds(50);
  Duration conditions_grace = std::chrono::minutes(5);

  // Keys in flight at once.
  std::size_t cluster_workers = 50;
  std::size_t machine_workers = 100;
  std::size_t set_workers = 50;
  std::size_t deployment_workers = 50;
  std::size_t health_workers = 50;

  std::set<core::PreflightCheck> preflight = {
      core::PreflightCheck::kControlPlaneIsStable, core::PreflightCheck::kVersionSkew,
      core::PreflightCheck::kBootstrapVersionSkew, core::PreflightCheck::kControlPlaneVersionSkew};

  // Gates.
  bool preflight_checks = true;
  bool taint_propagation = false;
  bool in_place_updates = false;
  bool considers_attachments = true;  // VolumeAttachments hold a machine, too
  bool topology = false;

  // Regular expressions: keys of machines' labels and annotations that go to their nodes as well.
  std::vector<kube::Pattern> node_labels;
  std::vector<kube::Pattern> node_annotations;

  bool Watches(const kube::Labels& labels) const {
    if (watch_filter.empty()) return true;
    const auto found = labels.find(std::string(dialects::capi::labels::kWatchFilter));
    return found != labels.end() && found->second == watch_filter;
  }
};

}  // namespace millwright::controllers::contract
