// Any patch applies, applying it again changes nothing, and a created patch does what it promises.
#include "kube/api/merge_patch.h"

#include <boost/json.hpp>

#include <cstdlib>

#include "kube/api/typed_value.h"
#include "two_trees.h"

using namespace millwright::kube;

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto trees = millwright::fuzz::TwoTrees(data, size);
  if (!trees) return 0;
  const auto& [document, patch] = *trees;
  const auto once = ApplyMergePatch(document, patch);
  if (!once || *ApplyMergePatch(*once, patch) != *once) std::abort();
  const auto diff = CreateMergePatch(document, *once);
  if (!diff || !SameValue(*ApplyMergePatch(document, *diff), *once)) std::abort();
  return 0;
}
