// Any text is refused or becomes a tree that is written so that it is read back; strict reading
// refuses no less.
#include <boost/json.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "kube/api/json_text.h"

using millwright::kube::Find;
using millwright::kube::ParseJson;

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto tree = ParseJson(text);
  const auto strict = ParseJson(text, {.refuse_duplicate_keys = true});
  if (strict && (!tree || *tree != *strict)) std::abort();
  if (!tree) return 0;
  const auto again = ParseJson(boost::json::serialize(*tree));
  if (!again || *again != *tree) std::abort();
  Find(*tree, text.substr(0, 64));
  return 0;
}
