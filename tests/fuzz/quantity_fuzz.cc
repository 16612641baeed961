// Any text is refused or becomes a quantity whose canonical text means the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "kube/api/quantity.h"

using millwright::kube::ParseQuantity;
using millwright::kube::Quantity;

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto quantity = ParseQuantity({reinterpret_cast<const char*>(data), size});
  if (!quantity) return 0;
  const auto again = ParseQuantity(quantity->ToString());
  if (!again || *again != *quantity || again->ToString() != quantity->ToString()) std::abort();
  if (quantity->Value() < 0 != quantity->IsNegative()) std::abort();
  if (*quantity - *quantity != Quantity()) std::abort();
  return 0;
}
