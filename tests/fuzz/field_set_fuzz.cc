// Any two field sets that can be read obey the laws of sets, and come back from their text form.
#include "kube/api/field_set.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include <boost/json.hpp>

#include "two_trees.h"

using millwright::kube::FieldSet;

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto trees = millwright::fuzz::TwoTrees(data, size);
  if (!trees) return 0;
  const auto a = FieldSet::FromJson(trees->first);
  const auto b = FieldSet::FromJson(trees->second);
  if (!a || !b) return 0;
  const auto again = FieldSet::FromJson(a->ToJson());
  if (!again || *again != *a || again->ToJson() != a->ToJson()) std::abort();
  if (a->Union(*b) != b->Union(*a)) std::abort();
  if (a->Difference(*b).Union(a->Intersection(*b)) != *a) std::abort();
  if (!a->Difference(*b).Intersection(*b).empty()) std::abort();
  if (!a->RecursiveDifference(*b).Difference(a->Difference(*b)).empty()) std::abort();
  if (a->Paths().size() != a->size()) std::abort();
  return 0;
}
