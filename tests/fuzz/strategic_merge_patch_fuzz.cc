// Any patch is refused or applied to a Pod and to a Node.
#include "kube/api/strategic_merge_patch.h"

#include <boost/json.hpp>

#include <cstdlib>

#include "kube/api/builtin_merge_keys.h"
#include "two_trees.h"

using namespace millwright::kube;

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto trees = millwright::fuzz::TwoTrees(data, size);
  if (!trees) return 0;
  const auto& [document, patch] = *trees;
  for (const char* kind : {"Pod", "Node"}) {
    const auto result =
        ApplyStrategicMergePatch(document, patch, *BuiltinMergeKeys({"", "v1", kind}));
    if (!result) continue;
    if (!result->is_object()) std::abort();
    const auto unchanged = ApplyStrategicMergePatch(*result, boost::json::object(),
                                                    *BuiltinMergeKeys({"", "v1", kind}));
    if (!unchanged || *unchanged != *result) std::abort();
  }
  return 0;
}
