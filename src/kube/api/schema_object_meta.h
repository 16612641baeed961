// ObjectMeta as a schema: every resource has it, no CustomResourceDefinition spells it out.
#pragma once

#include "kube/api/schema.h"

namespace millwright::kube {

// Labels and annotations merge by key, finalizers by value, ownerReferences by uid.
const Schema& ObjectMetaSchema();

// A plain string, for apiVersion and kind.
const Schema& TypeMetaSchema();

}  // namespace millwright::kube
