// Any text is refused or becomes a selector that its canonical text gives again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "kube/api/labels.h"

using millwright::kube::Labels;
using millwright::kube::ParseLabelSelector;

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto selector = ParseLabelSelector({reinterpret_cast<const char*>(data), size});
  if (!selector) return 0;
  const auto again = ParseLabelSelector(selector->ToString());
  if (!again || *again != *selector) std::abort();
  const Labels labels{{"a", "b"}, {"n", "5"}, {"in", ""}};
  if (selector->Matches(labels) != again->Matches(labels)) std::abort();
  return 0;
}
