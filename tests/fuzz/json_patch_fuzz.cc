// Any patch is refused or applied, within its limits; leniency refuses no more than the RFC.
#include "kube/api/json_patch.h"

#include <boost/json.hpp>

#include <cstdlib>

#include "two_trees.h"

using millwright::kube::ApplyJsonPatch;

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto trees = millwright::fuzz::TwoTrees(data, size);
  if (!trees) return 0;
  const auto& [document, patch] = *trees;
  const auto strict = ApplyJsonPatch(document, patch);
  const auto lenient = ApplyJsonPatch(document, patch, {.lenient = true});
  if (strict && (!lenient || *strict != *lenient)) std::abort();
  // What came out is within the depth that every other walker over trees takes.
  if (lenient && !millwright::kube::ParseJson(boost::json::serialize(*lenient))) std::abort();
  return 0;
}
