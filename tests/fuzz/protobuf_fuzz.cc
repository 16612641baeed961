// Any bytes are refused or become an object that Go would write just so.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include <boost/json.hpp>

#include "apiserver/builtin/normalize.h"
#include "apiserver/builtin/protobuf.h"
#include "kube/api/group_version.h"
#include "kube/api/json_text.h"

namespace json = boost::json;
namespace apiserver = millwright::apiserver;
namespace kube = millwright::kube;

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto object = apiserver::DecodeProtobuf({reinterpret_cast<const char*>(data), size});
  if (!object) return 0;
  const auto kind = kube::ParseGroupVersionKind(kube::GetString(*object, "apiVersion"),
                                                kube::GetString(*object, "kind"));
  json::value again = *object;
  if (!kind || !apiserver::NormalizeBuiltin(*kind, again) || again != *object) std::abort();
  if (!kube::ParseJson(json::serialize(*object))) std::abort();
  return 0;
}
