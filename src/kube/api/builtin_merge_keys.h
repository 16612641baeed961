// How strategic merge patches meet the kinds that Kubernetes itself brings.
#pragma once

#include "kube/api/group_version.h"
#include "kube/api/strategic_merge_patch.h"

namespace millwright::kube {

// The rules of a built-in kind; for those whose lists are all replaced whole, the rules of its
// metadata. Null for kinds of other groups: custom resources take no strategic merge patch.
const MergeKeys* BuiltinMergeKeys(const GroupVersionKind& kind);

}  // namespace millwright::kube
