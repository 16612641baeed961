// Any text is refused or becomes a selector that its canonical text gives again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "kube/api/field_selector.h"

using millwright::kube::ParseFieldSelector;

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto selector = ParseFieldSelector({reinterpret_cast<const char*>(data), size});
  if (!selector) return 0;
  const auto again = ParseFieldSelector(selector->ToString());
  if (!again || *again != *selector) std::abort();
  selector->Matches([](std::string_view path) { return std::string(path); });
  return 0;
}
