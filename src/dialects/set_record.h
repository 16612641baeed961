// A machine set as controllers see it, whatever dialect it is written in.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/model/machine_set.h"
#include "dialects/machine_record.h"
#include "dialects/machine_template.h"

namespace millwright::dialects {

struct SetRecord {
  kube::Meta meta;
  std::string problem;  // why its spec makes no sense; empty: it does
  kube::Labels labels;
  kube::Labels annotations;
  std::optional<Owner> owner;
  std::vector<std::string> finalizers;
  core::MachineSet core;  // without matches_template: that depends on the deployment
  kube::LabelSelector selector;
  MachineTemplate machine_template;
  int min_ready_seconds = 0;
  int auto_preserve_max = 0;
  bool unfreeze_asked = false;
  bool shows_frozen = false;     // a condition says that it is
  bool nodes_marked = false;     // its nodes carry the mark of an old set
  std::uint32_t name_floor = 0;  // names of new machines begin here (core/replicas/names.h)
  kube::SharedText status;       // JSON, as it is shown

  friend bool operator==(const SetRecord&, const SetRecord&) = default;
};

}  // namespace millwright::dialects
