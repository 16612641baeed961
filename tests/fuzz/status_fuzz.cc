// Any body of any answer becomes an error with a status in it, and a status survives its JSON.
#include <boost/json.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "kube/api/status.h"

using namespace millwright;

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const int code = 400 + data[0] % 200;
  const std::string_view body(reinterpret_cast<const char*>(data) + 1, size - 1);
  const Error error = kube::ErrorFrom(code, body);
  const auto* detail = error.detail<kube::StatusDetail>();
  if (detail == nullptr || error.message().empty()) std::abort();
  const auto again = kube::DecodeStatus(kube::EncodeStatus(detail->status()));
  kube::Status want = detail->status();
  if (want.status.empty()) want.status = "Failure";
  if (again != want) std::abort();
  return 0;
}
