// A machine class: how instances are made, and where its credentials are.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kube/projection/meta.h"
#include "kube/projection/text_pool.h"

namespace millwright::dialects {

struct ClassRecord {
  kube::Meta meta;
  std::string problem;  // why it cannot be used; empty: it can
  std::vector<std::string> finalizers;
  std::string provider;
  kube::SharedText provider_spec;        // JSON
  std::vector<kube::ObjectKey> secrets;  // later ones win
  std::string instance_type;             // for metrics
  kube::SharedText virtual_capacity;     // JSON object: resource to quantity; empty: none

  friend bool operator==(const ClassRecord&, const ClassRecord&) = default;
};

}  // namespace millwright::dialects
