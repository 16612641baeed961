// Any schema that can be read comes back from its text form; with it, pruning and defaulting any
// object twice is doing it once, and an object that does not change is judged by what is embedded
// alone.
#include "kube/api/schema.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include <boost/json.hpp>

#include "kube/api/schema_default.h"
#include "kube/api/schema_parse.h"
#include "kube/api/schema_prune.h"
#include "kube/api/schema_structural.h"
#include "kube/api/schema_validate.h"
#include "kube/api/typed_text.h"
#include "two_trees.h"

using namespace millwright::kube;

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  auto trees = millwright::fuzz::TwoTrees(data, size);
  if (!trees) return 0;
  const auto schema = ParseSchema(trees->first);
  if (!schema) return 0;
  const auto again = ParseSchema(ToJson(*schema));
  if (!again || ToJson(*again) != ToJson(*schema)) std::abort();
  const bool structural = CheckStructural(*schema).empty();

  boost::json::value object = trees->second;
  (void)Validate(*schema, object);
  (void)ValidateUpdate(*schema, object, object);
  if (!Prune(*schema, object)) return 0;
  if (!Prune(*schema, object)->empty()) std::abort();
  if (!ApplyDefaults(*schema, object)) std::abort();
  const boost::json::value once = object;
  if (!ApplyDefaults(*schema, object)) std::abort();
  // A default that contradicts its schema may itself be filled up by the next one.
  if (structural && JsonText(object) != JsonText(once)) std::abort();
  return 0;
}
