// An object of which only name and labels matter: definitions of kinds, secrets of clusters.
#pragma once

#include "kube/api/labels.h"
#include "kube/projection/meta.h"

namespace millwright::controllers::contract {

struct LabelledRecord {
  kube::Meta meta;
  kube::Labels labels;

  friend bool operator==(const LabelledRecord&, const LabelledRecord&) = default;
};

Result<LabelledRecord> ReadLabelled(kube::JsonObject object);

}  // namespace millwright::controllers::contract
